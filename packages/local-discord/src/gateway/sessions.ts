import { DAY_MS, MINUTE_MS } from '@darkroom/time';
import { APIVersion, GatewayDispatchEvents, GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { UnsupportedRequests } from '../rest/unsupported.ts';
import { PRIVILEGED_INTENTS } from '../rules/intents.ts';
import { memberOf } from '../rules/permissions.ts';
import type { RateLimiter } from '../rules/rate-limits.ts';
import { serializeGuildCreate } from '../serialize/guild.ts';
import { serializeUserById } from '../serialize/user.ts';
import { applicationByToken } from '../state/applications.ts';
import { dispatch } from './dispatch.ts';
import { sendMemberChunks } from './member-chunks.ts';
import { type Presence, readPresence } from './presence.ts';
import { createSession, type Session, type Shard } from './session.ts';

export const GATEWAY_PATH = '/gateway';
/** Where sessions are resumed: an address of its own, as Discord's `resume_gateway_url` is. */
export const RESUME_PATH = `${GATEWAY_PATH}/resume`;

/** How long a session waits for its bot, on the local Discord's clock. */
const RESUMABLE_MS = 3 * MINUTE_MS;

export interface SessionsOptions {
  /** Address of a path of the gateway. */
  url: (path: string) => string;
  maxConcurrency: number | undefined;
  /** Sessions that may begin within a day. */
  startsADay: number;
  rateLimiter: RateLimiter;
  unsupported: UnsupportedRequests;
}

/** The sessions of all bots, and what a connection asks for the one of its bot. */
export function createSessions(
  context: Context,
  { url, maxConcurrency, startsADay, rateLimiter, unsupported }: SessionsOptions,
) {
  const { state, events, clock, log } = context;
  const sessions = new Map<string, Session>();
  /** What every bot last said of itself, by its id. */
  const presences = new Map<string, Presence>();
  let starts = 0;
  let startsResetAt = 0;
  const overfull = new Set<string>();

  function removeExpired(): void {
    for (const { id, lostAt } of sessions.values()) {
      if (lostAt !== undefined && clock.now() - lostAt >= RESUMABLE_MS) sessions.delete(id);
    }
  }

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
      resume_gateway_url: url(RESUME_PATH),
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

  const unsubscribe = events.subscribe((event) => {
    for (const session of sessions.values()) dispatch(context, session, event);
  });

  return {
    /** Those that an application has, or all; also those that may still be resumed. */
    of(applicationId?: string): Session[] {
      removeExpired();
      return [...sessions.values()].filter(
        (session) => !applicationId || session.applicationId === applicationId,
      );
    },
    /** Nobody resumes it any more. */
    end: ({ id }: Session): void => void sessions.delete(id),
    /** How many may still begin, of how many, and for how long that holds: a day begins with its first session. */
    startLimit() {
      const resetAfter = Math.max(0, startsResetAt - clock.now());
      const remaining = resetAfter === 0 ? startsADay : Math.max(0, startsADay - starts);
      return { total: startsADay, remaining, reset_after: resetAfter };
    },
    presenceOf: (applicationId: string): Presence | undefined => presences.get(applicationId),
    stop: unsubscribe,

    /** The application that this token belongs to; `Bot ` before it is allowed. */
    applicationOf: (token: string): string | undefined =>
      applicationByToken(state, token.replace(/^Bot /, ''))?.id,
    /** Whether the application may identify with all of these intents. */
    allowsIntents(applicationId: string, intents: number): boolean {
      const allowed = state.applications.get(applicationId)?.privilegedIntents ?? 0;
      return (intents & PRIVILEGED_INTENTS & ~allowed) === 0;
    },
    /** From now on the shard has more servers than Discord allows. */
    overfill: (shard: Shard): void => void overfull.add(`${shard}`),
    isOverfull: (shard: Shard): boolean => overfull.has(`${shard}`),
    /** Counts an identify; `false` where too many of its bucket came within five seconds. */
    mayIdentify: (applicationId: string, [shard]: Shard): boolean =>
      maxConcurrency === undefined ||
      (rateLimiter.take('identify', `${applicationId} ${shard % maxConcurrency}`)?.allowed ?? true),
    open(bot: { applicationId: string; intents: number; shard: Shard }, socket: WebSocket): Session {
      removeExpired();
      const session = createSession(bot);
      session.attach(socket);
      sessions.set(session.id, session);
      if (clock.now() >= startsResetAt) {
        starts = 0;
        startsResetAt = clock.now() + DAY_MS;
      }
      starts += 1;
      sendReady(session);
      log.debug({ application: session.applicationId, shard: session.shard }, 'gateway session opened');
      events.publish({ type: 'commands-changed' });
      return session;
    },
    /** `undefined` where there is no such session of this application, or not all that came after `seen` is known. */
    resume(
      sessionId: string,
      applicationId: string | undefined,
      seen: number,
      socket: WebSocket,
    ): Session | undefined {
      removeExpired();
      const session = sessions.get(sessionId);
      if (!session || applicationId !== session.applicationId) return undefined;
      session.socket?.terminate();
      session.attach(socket);
      if (!session.replay(seen)) {
        sessions.delete(sessionId);
        return undefined;
      }
      session.send(GatewayDispatchEvents.Resumed, {});
      events.publish({ type: 'commands-changed' });
      return session;
    },
    /** The session may have a newer connection, which stays. */
    disconnect(session: Session, socket: WebSocket, resumable: boolean): void {
      if (session.socket !== socket) return;
      session.detach(clock.now());
      if (!resumable) sessions.delete(session.id);
      events.publish({ type: 'commands-changed' });
    },
    requestMembers: (session: Session, request: unknown): void => sendMemberChunks(context, session, request),
    /** `false` where this is no presence. */
    updatePresence(applicationId: string, said: unknown): boolean {
      const presence = readPresence(said);
      if (!presence) return false;
      presences.set(applicationId, presence);
      sendPresence(applicationId, presence);
      return true;
    },
    /** The bot sent something that the local Discord does not do. */
    recordUnsupported: (op: GatewayOpcodes): void =>
      unsupported.record('GATEWAY', `op ${op} ${GatewayOpcodes[op]}`),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
