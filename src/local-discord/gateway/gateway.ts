import type { Server } from 'node:http';
import {
  type APIInteraction,
  APIVersion,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10';
import { WebSocketServer } from 'ws';
import type { Core } from '../core.ts';
import { memberOf } from '../rules/permissions.ts';
import { wireGuildCreate } from '../wire/guild.ts';
import { wireUserById } from '../wire/user.ts';
import { type Sessions, serveConnection } from './connection.ts';
import { tell } from './events.ts';
import { createSession, type Session } from './session.ts';

export const GATEWAY_PATH = '/gateway';

/** How long a session waits for its bot, on the local Discord's clock. */
const RESUMABLE_MS = 3 * 60_000;

/** Source: 'Gateway', and session start limit in 'Get Gateway Bot'. */
const STARTS_A_DAY = 1000;
const DAY_MS = 24 * 3_600_000;

/** The gateway: sessions of bots, and what a test may do to them. Shares the REST API's server. */
export function createGateway(
  core: Core,
  { server, url, heartbeatIntervalMs }: { server: Server; url: () => string; heartbeatIntervalMs: number },
) {
  const { state, feed, clock, log } = core;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  const left = new Map<string, number>();
  const starts: number[] = [];
  let acknowledges = true;

  const bot: Sessions = {
    applicationOf: (token) => [...state.applications.values()].find((app) => app.token === token)?.id,
    open(asked, socket) {
      const session = createSession(asked);
      session.attach(socket);
      sessions.set(session.id, session);
      starts.push(clock.now());
      if (starts.length > STARTS_A_DAY) starts.shift();
      greet(session);
      log.debug({ application: session.applicationId, shard: session.shard }, 'gateway session opened');
      feed.publish({ type: 'commands-changed' });
      return session;
    },
    resume(sessionId, token, seen, socket) {
      forgetLeft();
      const session = sessions.get(sessionId);
      if (!session || bot.applicationOf(token) !== session.applicationId) return undefined;
      session.socket?.terminate();
      session.attach(socket);
      if (!session.replay(seen)) {
        sessions.delete(sessionId);
        return undefined;
      }
      left.delete(sessionId);
      session.send(GatewayDispatchEvents.Resumed, {});
      return session;
    },
    leave(session, socket, keep) {
      if (session.socket !== socket) return;
      session.detach(socket);
      if (keep) left.set(session.id, clock.now());
      else sessions.delete(session.id);
      feed.publish({ type: 'commands-changed' });
    },
  };

  function greet(session: Session): void {
    const { applicationId } = session;
    const guilds = [...state.guilds.values()].filter(
      (guild) => memberOf(guild, applicationId) && session.serves(guild.id),
    );
    session.send(GatewayDispatchEvents.Ready, {
      v: Number(APIVersion),
      user: { ...wireUserById(state, applicationId), verified: true, mfa_enabled: false, email: null },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: url(),
      session_type: 'normal',
      private_channels: [],
      shard: session.shard,
      application: { id: applicationId, flags: 0 },
    });
    if ((session.intents & GatewayIntentBits.Guilds) === 0) return;
    for (const guild of guilds) {
      session.send(GatewayDispatchEvents.GuildCreate, wireGuildCreate(state, guild, applicationId));
    }
  }

  function forgetLeft(): void {
    for (const [id, at] of left) {
      if (clock.now() - at < RESUMABLE_MS) continue;
      left.delete(id);
      sessions.delete(id);
    }
  }

  const ofBot = (applicationId?: string) =>
    [...sessions.values()].filter((session) => !applicationId || session.applicationId === applicationId);

  server.on('upgrade', (request, socket, head) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
    if (path === GATEWAY_PATH) {
      sockets.handleUpgrade(request, socket, head, (ws) =>
        serveConnection(ws, bot, { intervalMs: heartbeatIntervalMs, acknowledges: () => acknowledges }),
      );
    } else if (server.listenerCount('upgrade') === 1) socket.destroy();
  });
  const unsubscribe = feed.subscribe((happening) => {
    for (const session of sessions.values()) tell(core, session, happening);
  });

  return {
    /** Sends an interaction to every session of its shard that could hear it; tells to how many connected ones. */
    deliver(applicationId: string, payload: APIInteraction): number {
      forgetLeft();
      const hearing = ofBot(applicationId).filter((session) => session.serves(payload.guild_id ?? null));
      for (const session of hearing) session.send(GatewayDispatchEvents.InteractionCreate, payload);
      return hearing.length;
    },
    isConnected: (applicationId: string): boolean => ofBot(applicationId).some(({ connected }) => connected),
    startLimit() {
      const today = starts.filter((at) => clock.now() - at < DAY_MS).length;
      return {
        total: STARTS_A_DAY,
        remaining: Math.max(0, STARTS_A_DAY - today),
        reset_after: DAY_MS,
        max_concurrency: 1,
      };
    },
    /** How many sessions there are, and how many of them are connected now. */
    sessions: () => ({
      total: sessions.size,
      connected: ofBot().filter(({ connected }) => connected).length,
    }),
    /** Cuts every connection without a close frame, like a broken network. */
    drop(applicationId?: string): void {
      for (const { socket } of ofBot(applicationId)) socket?.terminate();
    },
    /** Closes every connection with a code, e.g. 4000. */
    close(code: number, applicationId?: string): void {
      for (const { socket } of ofBot(applicationId)) socket?.close(code);
    },
    /** Op 7: asks every bot to reconnect and resume. */
    askToReconnect(applicationId?: string): void {
      say(GatewayOpcodes.Reconnect, null, applicationId);
    },
    /** Op 9: ends every session. With `resumable` the bot may resume it. */
    invalidate({
      resumable = false,
      applicationId,
    }: {
      resumable?: boolean;
      applicationId?: string;
    } = {}): void {
      say(GatewayOpcodes.InvalidSession, resumable, applicationId);
      if (!resumable) for (const { id } of ofBot(applicationId)) sessions.delete(id);
    },
    /** Whether heartbeats are answered. `false` makes zombies: bots notice and reconnect. */
    acknowledgeHeartbeats(does: boolean): void {
      acknowledges = does;
    },
    stop(): void {
      unsubscribe();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };

  function say(op: GatewayOpcodes, d: unknown, applicationId?: string): void {
    for (const { socket } of ofBot(applicationId)) socket?.send(JSON.stringify({ op, d, s: null, t: null }));
  }
}

export type Gateway = ReturnType<typeof createGateway>;
