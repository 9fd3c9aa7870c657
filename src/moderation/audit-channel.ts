import { randomBytes } from 'node:crypto';
import type { Log } from '@darkroom/process';
import { type Clock, retry, withTimeout } from '@darkroom/time';
import { classifyDiscordError } from '../delivery/classify-discord-error.ts';
import type { MessageApi } from '../delivery/message-api.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';
import type { AuditEntry } from './audit-entry.ts';
import { renderEntry } from './render-entry.ts';

/** For one attempt at Discord, and for all of them with their waits. */
const ATTEMPT_MS = 15_000;
const GIVE_UP_MS = 2 * 60_000;

/** Entries of one server that wait to be posted; more stay in the store only. */
const MOST_WAITING = 200;

/** The channel in which a server wants to read its audit log, and in which language. */
export interface AuditDestination {
  channelId: string;
  locale: string;
}

/** Posts entries where their server wants to read them. */
export interface AuditChannel {
  /** Never throws, and nobody waits: what was done stays done where the channel takes nothing. */
  tell(entry: AuditEntry): void;
  /** Ends what is being posted. */
  stop(): Promise<void>;
}

export function createAuditChannel({
  destinationOf,
  discord,
  clock,
  log,
  random = Math.random,
}: {
  /** Undefined where the server has chosen none. */
  destinationOf(guildId: string): Promise<AuditDestination | undefined>;
  discord: Pick<MessageApi, 'post'>;
  clock: Clock;
  log: Log;
  /** In [0, 1): the jitter of waits. */
  random?: () => number;
}): AuditChannel {
  /** Of every server to which something is being posted: what comes next. */
  const waiting = new Map<string, AuditEntry[]>();
  const posting = new Set<Promise<void>>();
  const stopping = new AbortController();

  /** Posts what waits for a server, as many entries at once as a message holds. */
  async function postAll(guildId: string, entries: AuditEntry[]): Promise<void> {
    while (entries.length > 0 && !stopping.signal.aborted) {
      const destination = await destinationOf(guildId);
      if (!destination) return;
      const { channelId, locale } = destination;
      const texts = textsFor(locale);
      let content = '';
      while (entries[0]) {
        const line = `${renderEntry(entries[0], texts)}\n`;
        if (content !== '' && content.length + line.length > MESSAGE_LIMITS.content) break;
        content += line;
        entries.shift();
      }
      const nonce = randomBytes(12).toString('hex');
      const post = () =>
        withTimeout(
          ATTEMPT_MS,
          (signal) => discord.post({ guildId, channelId }, nonce, { content }, signal),
          {
            signal: stopping.signal,
          },
        );
      const policy = {
        budgetMs: GIVE_UP_MS,
        isRetryable: (error: unknown) => classifyDiscordError(error).kind === 'temporary',
        retryAfterMs: askedToWaitMs,
      };
      await retry(post, { policy, clock, random, signal: stopping.signal });
    }
  }

  return {
    tell(entry) {
      const { guildId } = entry;
      if (guildId === null || stopping.signal.aborted) return;
      const entries = waiting.get(guildId);
      if (entries) {
        if (entries.length < MOST_WAITING) entries.push(entry);
        return;
      }
      const begun = [entry];
      waiting.set(guildId, begun);
      const posted = postAll(guildId, begun)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted)
            log.warn({ err: error, guild: guildId }, 'the log channel of a server took nothing');
        })
        .finally(() => {
          waiting.delete(guildId);
          posting.delete(posted);
        });
      posting.add(posted);
    },

    async stop() {
      stopping.abort();
      await Promise.all(posting);
    },
  };
}

function askedToWaitMs(error: unknown): number | undefined {
  const failure = classifyDiscordError(error);
  return failure.kind === 'temporary' ? failure.retryAfterMs : undefined;
}
