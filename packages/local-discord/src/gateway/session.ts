import { randomBytes } from 'node:crypto';
import { GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';

/** How many events a session keeps for a resume. */
const REPLAY = 1000;

export type Shard = readonly [id: number, count: number];

/** A bot's session: it outlives its connection, so that the bot can resume and misses nothing. */
export function createSession(bot: { applicationId: string; intents: number; shard: Shard }) {
  const id = randomBytes(16).toString('hex');
  const events: { s: number; text: string }[] = [];
  let sequence = 0;
  let socket: WebSocket | undefined;
  let lostAt: number | undefined;

  return {
    id,
    ...bot,
    get socket() {
      return socket;
    },
    /** When it lost its connection; undefined while it has one. */
    get lostAt() {
      return lostAt;
    },
    attach(to: WebSocket): void {
      socket = to;
      lostAt = undefined;
    },
    detach(now: number): void {
      socket = undefined;
      lostAt = now;
    },
    /** Whether this session is responsible for a server, or with `null` for what belongs to none. */
    handlesGuild(guildId: string | null): boolean {
      const [shard, count] = bot.shard;
      return guildId === null ? shard === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === shard;
    },
    send(t: string, d: unknown): void {
      sequence++;
      const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, t, s: sequence, d });
      events.push({ s: sequence, text });
      if (events.length > REPLAY) events.shift();
      socket?.send(text);
    },
    /** Sends what came after `seen`; `false` where that is forgotten or was never said. */
    replay(seen: number): boolean {
      const oldest = events[0]?.s ?? sequence + 1;
      if (seen > sequence || seen < oldest - 1) return false;
      for (const { s, text } of events) if (s > seen) socket?.send(text);
      return true;
    },
  };
}

export type Session = ReturnType<typeof createSession>;
