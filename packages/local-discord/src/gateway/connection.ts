import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { INTENTS } from '../rules/intents.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

interface ConnectionOptions {
  heartbeatIntervalMs: number;
  /** Whether heartbeats are answered: a test may stop that to make a zombie. */
  acknowledgesHeartbeats(): boolean;
  /** Counts what the bot sends; `false` where it is too much. */
  takeSend(): boolean;
}

const payloadShape = z.object({ op: z.number(), d: z.unknown() });
const identifyShape = z.object({
  token: z.string(),
  intents: z.int().min(0),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
  presence: z.unknown().optional(),
});
const resumeShape = z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) });

/** Close codes after which a session cannot be resumed. Source: 'Gateway', disconnecting. */
const FINAL = new Set([1000, 1001]);

/** Source: 'Opcodes and Status Codes', gateway close event codes; payloads above it are refused (4002). */
const MAX_PAYLOAD_BYTES = 4096;

/** One socket of one bot, from Hello to its close. Source: 'Gateway', connections. */
export function serveConnection(socket: WebSocket, sessions: Sessions, options: ConnectionOptions): void {
  let session: Session | undefined;
  // Heartbeats are the transport's: they follow real time, also where a test hurries Discord's clock.
  const watchdog = setTimeout(
    () => closeWith(GatewayCloseCodes.SessionTimedOut, 'Session timed out.'),
    options.heartbeatIntervalMs * 2,
  ).unref();
  const closeWith = (code: GatewayCloseCodes, reason: string) => socket.close(code, reason);
  const closeUnread = () => closeWith(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
  const send = (op: GatewayOpcodes, d: unknown = null) =>
    socket.send(JSON.stringify({ op, d, s: null, t: null }));

  socket.on('message', (raw) => {
    const text = String(raw);
    const payload = Buffer.byteLength(text) > MAX_PAYLOAD_BYTES ? undefined : parse(text);
    if (!options.takeSend()) closeWith(GatewayCloseCodes.RateLimited, 'You are being rate limited.');
    else if (payload) receive(payload.op, payload.d);
    else closeUnread();
  });
  socket.on('close', (code) => {
    clearTimeout(watchdog);
    if (session) sessions.disconnect(session, socket, !FINAL.has(code));
  });
  send(GatewayOpcodes.Hello, { heartbeat_interval: options.heartbeatIntervalMs });

  function receive(op: number, d: unknown): void {
    switch (op) {
      case GatewayOpcodes.Heartbeat:
        watchdog.refresh();
        if (options.acknowledgesHeartbeats()) send(GatewayOpcodes.HeartbeatAck);
        return;
      case GatewayOpcodes.Identify:
      case GatewayOpcodes.Resume:
        if (session) closeWith(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
        else if (op === GatewayOpcodes.Identify) identify(d);
        else resume(d);
        return;
      case GatewayOpcodes.RequestGuildMembers:
        inSession((own) => sessions.requestMembers(own, d));
        return;
      case GatewayOpcodes.PresenceUpdate:
        inSession(({ applicationId }) => {
          if (!sessions.updatePresence(applicationId, d)) closeUnread();
        });
        return;
      case GatewayOpcodes.VoiceStateUpdate:
      case GatewayOpcodes.RequestSoundboardSounds:
        inSession(() => sessions.recordUnsupported(op));
        return;
      default:
        closeWith(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
    }
  }

  function inSession(run: (own: Session) => void): void {
    if (session) run(session);
    else closeWith(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
  }

  function identify(d: unknown): void {
    const request = identifyShape.safeParse(d).data;
    const applicationId = request && sessions.applicationOf(request.token);
    const shard = request?.shard ?? [0, 1];
    if (!request) closeUnread();
    else if (!applicationId) closeWith(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
    else if (shard[0] >= shard[1]) closeWith(GatewayCloseCodes.InvalidShard, 'Invalid shard.');
    else if (sessions.isOverfull(shard)) closeWith(GatewayCloseCodes.ShardingRequired, 'Sharding required.');
    else if ((request.intents & ~INTENTS) !== 0)
      closeWith(GatewayCloseCodes.InvalidIntents, 'Invalid intent(s).');
    else if (!sessions.allowsIntents(applicationId, request.intents)) {
      closeWith(GatewayCloseCodes.DisallowedIntents, 'Disallowed intent(s).');
    } else if (!sessions.mayIdentify(applicationId, shard)) send(GatewayOpcodes.InvalidSession, false);
    else {
      session = sessions.open({ applicationId, intents: request.intents, shard }, socket);
      if (request.presence) sessions.updatePresence(applicationId, request.presence);
    }
  }

  function resume(d: unknown): void {
    const request = resumeShape.safeParse(d).data;
    const applicationId = request && sessions.applicationOf(request.token);
    session = request && sessions.resume(request.session_id, applicationId, request.seq, socket);
    if (!request) closeUnread();
    else if (!session) send(GatewayOpcodes.InvalidSession, false);
  }
}

function parse(text: string): z.infer<typeof payloadShape> | undefined {
  try {
    return payloadShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
