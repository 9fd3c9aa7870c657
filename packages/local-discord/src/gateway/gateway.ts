import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type APIInteraction,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayOpcodes,
} from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import type { FaultKind, Faults } from '../rest/faults.ts';
import { compressTransport } from './compression.ts';
import { serveConnection } from './connection.ts';
import type { Shard } from './session.ts';
import { createSessions, GATEWAY_PATH, RESUME_PATH, type SessionsOptions } from './sessions.ts';

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
  options: SessionsOptions & {
    server: Server;
    heartbeatIntervalMs: number;
    recommendedShards: number;
    faults: Faults;
  },
) {
  const { server, url, heartbeatIntervalMs, maxConcurrency } = options;
  const { rateLimiter, unsupported, faults } = options;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = createSessions(context, options);
  const hanging = new Set<Duplex>();
  let acknowledges = true;
  let { recommendedShards } = options;
  let connections = 0;

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

  server.on('upgrade', (request, socket, head) => {
    const [address = '', query] = (request.url ?? '').split('?', 2);
    const path = address.replace(/\/$/, '');
    if (path === GATEWAY_PATH || path === RESUME_PATH) {
      const fault = faults.next({ method: 'GET', path, hasFiles: false });
      if (fault === 'hang') return void hanging.add(socket.on('error', () => socket.destroy()));
      if (fault !== undefined) return refuseUpgrade(socket, fault);
      sockets.handleUpgrade(request, socket, head, (ws) => {
        ws.on('error', () => ws.terminate());
        if (!hasTransport(ws, new URLSearchParams(query))) return;
        const connection = `${++connections}`;
        serveConnection(ws, sessions, {
          heartbeatIntervalMs,
          acknowledgesHeartbeats: () => acknowledges,
          takeSend: () => rateLimiter.take('gatewaySend', connection)?.allowed ?? true,
        });
      });
    } else if (server.listenerCount('upgrade') === 1) socket.destroy();
  });

  return {
    /** Sends an interaction to every session of its shard, also to one that may be resumed; tells to how many. */
    deliver(applicationId: string, payload: APIInteraction): number {
      const receivers = sessions
        .of(applicationId)
        .filter((session) => session.handlesGuild(payload.guild_id ?? null));
      for (const session of receivers) session.send(GatewayDispatchEvents.InteractionCreate, payload);
      return receivers.length;
    },
    isConnected: (applicationId: string): boolean =>
      sessions.of(applicationId).some(({ socket }) => socket !== undefined),
    /** What a bot last said of itself: `undefined` where it said nothing. */
    presence: sessions.presenceOf,
    /** What 'Get Gateway Bot' answers. */
    information: () => ({
      url: url(GATEWAY_PATH),
      shards: recommendedShards,
      session_start_limit: {
        ...sessions.startLimit(),
        max_concurrency: maxConcurrency ?? 1,
      },
    }),
    /** The bot has grown: from now on Discord recommends so many shards. */
    recommendShards(count: number): void {
      recommendedShards = count;
    },
    /** The shards that are connected now, in order. */
    shards: () =>
      sessions
        .of()
        .flatMap(({ socket, shard: [id] }) => (socket ? [id] : []))
        .sort((one, other) => one - other),
    /** How many sessions there are, and how many of them are connected now. */
    sessions() {
      const all = sessions.of();
      return { total: all.length, connected: all.filter(({ socket }) => socket !== undefined).length };
    },
    /** Cuts every connection without a close frame, like a broken network. */
    drop(): void {
      for (const { socket } of sessions.of()) socket?.terminate();
    },
    /** Closes every connection with a code, e.g. 4000. */
    close(code: number): void {
      for (const { socket } of sessions.of()) socket?.close(code);
    },
    /** A shard gets into too many servers: its connections are closed with 4011, and so is whoever identifies as it. */
    overfill(...shard: Shard): void {
      sessions.overfill(shard);
      for (const { socket, shard: of } of sessions.of()) {
        if (`${of}` === `${shard}`) socket?.close(GatewayCloseCodes.ShardingRequired);
      }
    },
    /** Op 7: asks every bot to reconnect and resume. */
    requestReconnect(): void {
      broadcast(GatewayOpcodes.Reconnect, null);
    },
    /** Op 9: ends every session. */
    invalidate(): void {
      broadcast(GatewayOpcodes.InvalidSession, false);
      for (const session of sessions.of()) sessions.end(session);
    },
    /** Whether heartbeats are answered. `false` makes zombies: bots notice and reconnect. */
    acknowledgeHeartbeats(does: boolean): void {
      acknowledges = does;
    },
    stop(): void {
      sessions.stop();
      for (const socket of hanging) socket.destroy();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };

  function broadcast(op: GatewayOpcodes, d: unknown): void {
    for (const { socket } of sessions.of()) socket?.send(JSON.stringify({ op, d, s: null, t: null }));
  }
}

function refuseUpgrade(socket: Duplex, fault: FaultKind): void {
  socket.on('error', () => socket.destroy());
  if (typeof fault === 'object' && 'status' in fault) {
    const { status } = fault;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\nConnection: close\r\n\r\n`);
  } else socket.destroy();
}

export type Gateway = ReturnType<typeof createGateway>;
