import type { Server } from 'node:http';
import { DAY_MS } from '@darkroom/time';
import {
  type APIInteraction,
  APIVersion,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import type { UnsupportedRequests } from '../rest/unsupported.ts';
import { PRIVILEGED_INTENTS } from '../rules/intents.ts';
import { memberOf } from '../rules/permissions.ts';
import type { RateLimiter } from '../rules/rate-limits.ts';
import { serializeGuildCreate } from '../serialize/guild.ts';
import { serializeUserById } from '../serialize/user.ts';
import { compressTransport } from './compression.ts';
import { type Sessions, serveConnection } from './connection.ts';
import { dispatch } from './dispatch.ts';
import { sendMemberChunks } from './member-chunks.ts';
import { createPresences, type Presence } from './presences.ts';
import { createSession, type Session } from './session.ts';

export const GATEWAY_PATH = '/gateway';

/** How long a session waits for its bot, on the local Discord's clock. */
const RESUMABLE_MS = 3 * 60_000;

/** Source: 'Gateway', and session start limit in 'Get Gateway Bot'. */
const STARTS_A_DAY = 1000;

/** Characters of what a client asked for that are said again: the reason of a close has 123 bytes at most. */
const MAX_QUOTED = 16;

/** What a client may ask for in the address. Source: 'Gateway', encoding and compression. */
const TRANSPORTS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['encoding', ['json', '']],
  ['compress', ['zlib-stream', '']],
];

/** The gateway: sessions of bots, and what a test may do to them. Shares the REST API's server. */
export function createGateway(
  context: Context,
  {
    server,
    url,
    heartbeatIntervalMs,
    recommendedShards,
    maxConcurrency,
    rateLimits,
    unsupported,
  }: {
    server: Server;
    url: () => string;
    heartbeatIntervalMs: number;
    recommendedShards: number;
    maxConcurrency: number | undefined;
    rateLimits: RateLimiter;
    unsupported: UnsupportedRequests;
  },
) {
  const { state, events, clock, log } = context;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  const disconnectedAt = new Map<string, number>();
  const presences = createPresences();
  const starts: number[] = [];
  let acknowledges = true;
  let connections = 0;

  const bot: Sessions = {
    applicationOf(text) {
      const token = text.replace(/^Bot /, '');
      return [...state.applications.values()].find((application) => application.token === token)?.id;
    },
    allowsIntents(applicationId, intents) {
      const allowed = state.applications.get(applicationId)?.privilegedIntents ?? 0;
      return (intents & PRIVILEGED_INTENTS & ~allowed) === 0;
    },
    mayIdentify: (applicationId, [shard]) =>
      maxConcurrency === undefined ||
      (rateLimits.take('identify', `${applicationId} ${shard % maxConcurrency}`)?.allowed ?? true),
    requestMembers: (session, request) => sendMemberChunks(context, session, request),
    updatePresence(applicationId, d) {
      const presence = presences.update(applicationId, d);
      if (presence) sendPresence(applicationId, presence);
      return presence !== undefined;
    },
    recordUnsupported: (op) => unsupported.record('GATEWAY', `op ${op} ${GatewayOpcodes[op]}`),
    open(request, socket) {
      removeExpired();
      const session = createSession(request);
      session.attach(socket);
      sessions.set(session.id, session);
      starts.push(clock.now());
      if (starts.length > STARTS_A_DAY) starts.shift();
      sendReady(session);
      log.debug({ application: session.applicationId, shard: session.shard }, 'gateway session opened');
      events.publish({ type: 'commands-changed' });
      return session;
    },
    resume(sessionId, token, seen, socket) {
      removeExpired();
      const session = sessions.get(sessionId);
      if (!session || bot.applicationOf(token) !== session.applicationId) return undefined;
      session.socket?.terminate();
      session.attach(socket);
      if (!session.replay(seen)) {
        sessions.delete(sessionId);
        return undefined;
      }
      disconnectedAt.delete(sessionId);
      session.send(GatewayDispatchEvents.Resumed, {});
      events.publish({ type: 'commands-changed' });
      return session;
    },
    disconnect(session, socket, resumable) {
      if (session.socket !== socket) return;
      session.detach(socket);
      if (resumable) disconnectedAt.set(session.id, clock.now());
      else sessions.delete(session.id);
      events.publish({ type: 'commands-changed' });
    },
  };

  function sendReady(session: Session): void {
    const { applicationId } = session;
    const guilds = [...state.guilds.values()].filter(
      (guild) => memberOf(guild, applicationId) && session.handlesGuild(guild.id),
    );
    session.send(GatewayDispatchEvents.Ready, {
      v: Number(APIVersion),
      user: { ...serializeUserById(state, applicationId), verified: true, mfa_enabled: false, email: null },
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
      session.send(
        GatewayDispatchEvents.GuildCreate,
        serializeGuildCreate(state, guild, applicationId, session.intents),
      );
    }
  }

  /**
   * A client that asks for another transport could read nothing: its connection is closed, so that it does not come
   * again.
   */
  function hasTransport(socket: WebSocket, wanted: URLSearchParams): boolean {
    const unserved = TRANSPORTS.find(([name, values]) => !values.includes(wanted.get(name) ?? ''));
    if (unserved !== undefined) {
      const [name, values] = unserved;
      const refused = `${name}=${wanted.get(name)?.slice(0, MAX_QUOTED)}`;
      unsupported.record('GATEWAY', refused);
      socket.close(
        GatewayCloseCodes.InvalidAPIVersion,
        `There is no ${refused} here: use ${values.filter(Boolean).join(' or ')}, or leave ${name} out.`,
      );
    } else if (wanted.get('compress')) compressTransport(socket);
    return unserved === undefined;
  }

  function sendPresence(applicationId: string, presence: Presence): void {
    for (const guild of state.guilds.values()) {
      if (!memberOf(guild, applicationId)) continue;
      for (const session of sessions.values()) {
        if ((session.intents & GatewayIntentBits.GuildPresences) === 0) continue;
        if (!session.handlesGuild(guild.id) || !memberOf(guild, session.applicationId)) continue;
        session.send(GatewayDispatchEvents.PresenceUpdate, {
          user: { id: applicationId },
          guild_id: guild.id,
          ...presence,
          client_status: presence.status === 'offline' ? {} : { web: presence.status },
        });
      }
    }
  }

  function removeExpired(): void {
    for (const [id, at] of disconnectedAt) {
      if (clock.now() - at < RESUMABLE_MS) continue;
      disconnectedAt.delete(id);
      sessions.delete(id);
    }
  }

  function sendCounter(): () => boolean {
    const connection = `${++connections}`;
    return () => rateLimits.take('gatewaySend', connection)?.allowed ?? true;
  }

  const sessionsOf = (applicationId?: string) =>
    [...sessions.values()].filter((session) => !applicationId || session.applicationId === applicationId);

  server.on('upgrade', (request, socket, head) => {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    if (path.replace(/\/$/, '') === GATEWAY_PATH) {
      sockets.handleUpgrade(request, socket, head, (ws) => {
        ws.on('error', () => ws.terminate());
        if (!hasTransport(ws, new URLSearchParams(query))) return;
        serveConnection(ws, bot, {
          heartbeatIntervalMs,
          acknowledgesHeartbeats: () => acknowledges,
          takeSend: sendCounter(),
        });
      });
    } else if (server.listenerCount('upgrade') === 1) socket.destroy();
  });
  const unsubscribe = events.subscribe((event) => {
    for (const session of sessions.values()) dispatch(context, session, event);
  });

  return {
    /** Sends an interaction to every session of its shard that could hear it; tells to how many connected ones. */
    deliver(applicationId: string, payload: APIInteraction): number {
      removeExpired();
      const receivers = sessionsOf(applicationId).filter((session) =>
        session.handlesGuild(payload.guild_id ?? null),
      );
      for (const session of receivers) session.send(GatewayDispatchEvents.InteractionCreate, payload);
      return receivers.length;
    },
    isConnected: (applicationId: string): boolean =>
      sessionsOf(applicationId).some(({ connected }) => connected),
    /** What a bot last said of itself: `undefined` where it said nothing. */
    presence: presences.of,
    /** What 'Get Gateway Bot' answers. */
    information() {
      const today = starts.filter((at) => clock.now() - at < DAY_MS).length;
      return {
        url: url(),
        shards: recommendedShards,
        session_start_limit: {
          total: STARTS_A_DAY,
          remaining: Math.max(0, STARTS_A_DAY - today),
          reset_after: DAY_MS,
          max_concurrency: maxConcurrency ?? 1,
        },
      };
    },
    /** The shards that are connected now, in order. */
    shards: () =>
      sessionsOf()
        .flatMap(({ connected, shard: [id] }) => (connected ? [id] : []))
        .sort((one, other) => one - other),
    /** How many sessions there are, and how many of them are connected now. */
    sessions: () => ({
      total: sessions.size,
      connected: sessionsOf().filter(({ connected }) => connected).length,
    }),
    /** Cuts every connection without a close frame, like a broken network. */
    drop(applicationId?: string): void {
      for (const { socket } of sessionsOf(applicationId)) socket?.terminate();
    },
    /** Closes every connection with a code, e.g. 4000. */
    close(code: number, applicationId?: string): void {
      for (const { socket } of sessionsOf(applicationId)) socket?.close(code);
    },
    /** Op 7: asks every bot to reconnect and resume. */
    requestReconnect(applicationId?: string): void {
      broadcast(GatewayOpcodes.Reconnect, null, applicationId);
    },
    /** Op 9: ends every session. With `resumable` the bot may resume it. */
    invalidate({
      resumable = false,
      applicationId,
    }: {
      resumable?: boolean;
      applicationId?: string;
    } = {}): void {
      broadcast(GatewayOpcodes.InvalidSession, resumable, applicationId);
      if (!resumable) for (const { id } of sessionsOf(applicationId)) sessions.delete(id);
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

  function broadcast(op: GatewayOpcodes, d: unknown, applicationId?: string): void {
    for (const { socket } of sessionsOf(applicationId))
      socket?.send(JSON.stringify({ op, d, s: null, t: null }));
  }
}

export type Gateway = ReturnType<typeof createGateway>;
