import type { Log } from '@darkroom/process';
import { type Clock, createInFlight } from '@darkroom/time';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { AuditEntry } from './audit-entry.ts';
import { linesOf } from './render-entry.ts';

/** For one message, with the waits between its attempts. */
const GIVE_UP_MS = 2 * 60_000;

/** Entries of one server that wait to be posted; more are read in `/settings log` only. */
const MOST_WAITING = 200;

/** Posts entries where their server wants to read them. */
export type AuditChannel = ReturnType<typeof createAuditChannel>;

export function createAuditChannel({
  guildSettings,
  discord,
  clock,
  log,
}: {
  guildSettings: Pick<GuildSettingsStore, 'of'>;
  discord: Pick<MessageApi, 'post'>;
  clock: Clock;
  log: Log;
}) {
  /** Of every server to which something is being posted: what comes next. */
  const waiting = new Map<string, AuditEntry[]>();
  const inFlight = createInFlight();
  const stopping = new AbortController();

  /** Posts what waits for a server, as many entries at once as a message holds. */
  async function postAll(guildId: string, entries: AuditEntry[]): Promise<void> {
    const { signal } = stopping;
    try {
      while (entries.length > 0 && !signal.aborted) {
        const { logChannelId: channelId, locale = 'en' } = await guildSettings.of(guildId);
        if (channelId === undefined) return;
        const lines = linesOf(entries, textsFor(locale));
        entries.splice(0, lines.length);
        const content = lines.join('\n');
        const bounds = { budgetMs: GIVE_UP_MS };
        await postNotice({ guildId, channelId }, { content }, { discord, clock, bounds, signal });
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, guild: guildId }, 'the log channel of a server took nothing');
    } finally {
      // In the same turn in which it has found nothing more: what is told after that begins anew.
      waiting.delete(guildId);
    }
  }

  return {
    /** Never throws, and nobody waits: what was done stays done where the channel takes nothing. */
    tell(entry: AuditEntry): void {
      const { guildId } = entry;
      if (guildId === null || stopping.signal.aborted) return;
      const entries = waiting.get(guildId);
      if (entries) {
        if (entries.length < MOST_WAITING) entries.push(entry);
        return;
      }
      const begun = [entry];
      waiting.set(guildId, begun);
      void inFlight.add(postAll(guildId, begun));
    },

    /** Ends what is being posted. */
    async stop(): Promise<void> {
      stopping.abort();
      await inFlight.settled();
    },
  };
}
