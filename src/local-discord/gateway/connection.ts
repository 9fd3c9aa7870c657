import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Session, Shard } from './session.ts';

/** What the connection asks of the gateway. */
export interface Sessions {
  /** The application that this token belongs to. */
  applicationOf(token: string): string | undefined;
  open(bot: { applicationId: string; intents: number; shard: Shard }, socket: WebSocket): Session;
  resume(sessionId: string, token: string, seen: number, socket: WebSocket): Session | undefined;
  /** `keep`: the bot may come back. */
  leave(session: Session, socket: WebSocket, keep: boolean): void;
}

export interface Pulse {
  intervalMs: number;
  /** Whether heartbeats are answered: a test may stop that to make a zombie. */
  acknowledges(): boolean;
}

const payloadShape = z.object({ op: z.number(), d: z.unknown() });
const identifyShape = z.object({
  token: z.string(),
  intents: z.int().min(0),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});
const resumeShape = z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) });

/** All intents that exist. Source: 'Gateway', list of intents. */
const INTENTS = 0b11_0011_0001_1111_1111_1111_1111;

/** Close codes after which a session cannot be resumed. Source: 'Gateway', disconnecting. */
const FINAL = new Set([1000, 1001]);

/** Source: 'Opcodes and Status Codes', gateway close event codes; payloads above it are refused (4002). */
const MAX_PAYLOAD_BYTES = 4096;

/** One socket of one bot, from Hello to its close. Source: 'Gateway', connections. */
export function serveConnection(socket: WebSocket, sessions: Sessions, pulse: Pulse): void {
  let session: Session | undefined;
  // Heartbeats are the transport's: they follow real time, also where a test hurries Discord's clock.
  const watchdog = setTimeout(
    () => refuse(GatewayCloseCodes.SessionTimedOut, 'Session timed out.'),
    pulse.intervalMs * 2,
  ).unref();
  const refuse = (code: GatewayCloseCodes, reason: string) => socket.close(code, reason);
  const send = (op: GatewayOpcodes, d: unknown = null) =>
    socket.send(JSON.stringify({ op, d, s: null, t: null }));

  socket.on('message', (raw) => {
    const text = String(raw);
    const payload = text.length > MAX_PAYLOAD_BYTES ? undefined : parse(text);
    if (payload) receive(payload.op, payload.d);
    else refuse(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
  });
  socket.on('close', (code) => {
    clearTimeout(watchdog);
    if (session) sessions.leave(session, socket, !FINAL.has(code));
  });
  socket.on('error', () => socket.terminate());
  send(GatewayOpcodes.Hello, { heartbeat_interval: pulse.intervalMs });

  function receive(op: number, d: unknown): void {
    switch (op) {
      case GatewayOpcodes.Heartbeat:
        watchdog.refresh();
        if (pulse.acknowledges()) send(GatewayOpcodes.HeartbeatAck);
        return;
      case GatewayOpcodes.Identify:
        if (session) refuse(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
        else identify(d);
        return;
      case GatewayOpcodes.Resume:
        if (session) refuse(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
        else resume(d);
        return;
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
      case GatewayOpcodes.RequestGuildMembers:
      case GatewayOpcodes.RequestSoundboardSounds:
        if (!session) refuse(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
        return;
      default:
        refuse(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
    }
  }

  function identify(d: unknown): void {
    const asked = identifyShape.safeParse(d).data;
    const applicationId = asked && sessions.applicationOf(asked.token);
    const shard = asked?.shard ?? [0, 1];
    if (!asked) refuse(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
    else if (!applicationId) refuse(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
    else if (shard[0] >= shard[1]) refuse(GatewayCloseCodes.InvalidShard, 'Invalid shard.');
    else if ((asked.intents & ~INTENTS) !== 0) refuse(GatewayCloseCodes.InvalidIntents, 'Invalid intent(s).');
    else session = sessions.open({ applicationId, intents: asked.intents, shard }, socket);
  }

  function resume(d: unknown): void {
    const asked = resumeShape.safeParse(d).data;
    if (!asked) {
      refuse(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
      return;
    }
    session = sessions.resume(asked.session_id, asked.token, asked.seq, socket);
    if (!session) send(GatewayOpcodes.InvalidSession, false);
  }
}

function parse(text: string): z.infer<typeof payloadShape> | undefined {
  try {
    return payloadShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
