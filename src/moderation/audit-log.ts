import { randomBytes } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import type { AuditChannel } from './audit-channel.ts';
import { type AuditEntry, type AuditEvent, auditEntry } from './audit-entry.ts';

/** Digits of milliseconds since the epoch until the year 2286, so that ids sort by their age. */
const TIME_DIGITS = 13;
/** Looks of others that a member is told of; the export has all of them. */
const MOST_LOOKS = 5;

/** Whence a page of entries is read: those before or after this one. */
export interface LogCursor {
  towards: 'older' | 'newer';
  id: string;
}

/** Who did what in a server, and who looked at what of a member. */
export type AuditLog = ReturnType<typeof createAuditLog>;

export function createAuditLog({
  store,
  channel,
  knownGuilds,
  retentionMs,
  clock,
}: {
  store: Store;
  channel: Pick<AuditChannel, 'tell'>;
  knownGuilds: Pick<KnownGuilds, 'row'>;
  retentionMs: number;
  clock: Clock;
}) {
  // An entry stands in a range of its server, and in one of every member whom it names: `GUILD:TIME-ID`,
  // `MEMBER:TIME-ID`.
  const ofGuilds = store.collection('audit', auditEntry);
  const ofMembers = store.collection('audit-members', auditEntry);

  async function ofMember(memberId: string): Promise<AuditEntry[]> {
    const listed = await ofMembers.list({ prefix: `${memberId}:`, backwards: true });
    return listed.map(({ value }) => value);
  }

  return {
    /** Writes down what `actorId` has done, now; then tells the server's log channel, which nobody waits for. */
    async record(event: AuditEvent & Pick<AuditEntry, 'guildId' | 'actorId'>): Promise<void> {
      const entry: AuditEntry = { ...event, at: clock.now() };
      const id = `${`${entry.at}`.padStart(TIME_DIGITS, '0')}-${randomBytes(4).toString('hex')}`;
      await store.write([
        ...(entry.guildId === null
          ? []
          : [
              ofGuilds.row(`${entry.guildId}:${id}`, entry, retentionMs),
              knownGuilds.row(entry.guildId, retentionMs),
            ]),
        ...namedIn(entry).map((memberId) => ofMembers.row(`${memberId}:${id}`, entry, retentionMs)),
      ]);
      channel.tell(entry);
    },

    /**
     * What was done in a server, at most so many entries, each with its id: from the newest on back, or from that of
     * `from` on to where it says.
     */
    async ofGuild(
      guildId: string,
      { from, limit }: { from?: LogCursor | undefined; limit: number },
    ): Promise<{ id: string; entry: AuditEntry }[]> {
      const prefix = `${guildId}:`;
      const backwards = from?.towards !== 'newer';
      const end = from && { [backwards ? 'before' : 'after']: `${prefix}${from.id}` };
      const listed = await ofGuilds.list({ prefix, limit, backwards, ...end });
      return listed.map(({ id, value }) => ({ id: id.slice(prefix.length), entry: value }));
    },

    /** What a member has done, and what concerns them, in every server; newest first. */
    ofMember,

    /** Who else has looked at a member's credits lately; newest first. */
    async looksAt(memberId: string): Promise<AuditEntry[]> {
      const entries = await ofMember(memberId);
      return entries
        .filter(({ event, actorId }) => event === 'credits-viewed' && actorId !== memberId)
        .slice(0, MOST_LOOKS);
    },

    async purgeGuild(guildId: string): Promise<void> {
      const listed = await ofGuilds.list({ prefix: `${guildId}:` });
      await store.delete(
        listed.flatMap(({ id, value }) => [
          ofGuilds.key(id),
          ...namedIn(value).map((memberId) => ofMembers.key(`${memberId}${id.slice(guildId.length)}`)),
        ]),
      );
    },

    /** Forgets what is found by a member. What a server has on record of them stays there until it expires. */
    eraseMember: (memberId: string): Promise<void> => ofMembers.deleteAll(`${memberId}:`),
  };
}

/** Events that their member does not find: who made a reported picture must not learn who reported it. */
const UNTOLD: ReadonlySet<AuditEvent['event']> = new Set(['picture-reported', 'report-dismissed']);

/** The members by whom an entry is found, each once. */
const namedIn = (entry: AuditEntry): string[] => [
  ...new Set([
    ...(entry.actorId === null ? [] : [entry.actorId]),
    ...('memberId' in entry && !UNTOLD.has(entry.event) ? [entry.memberId] : []),
  ]),
];
