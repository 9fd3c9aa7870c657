import type { Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { type Clock, createCache, MINUTE_MS, repeat, withTimeout } from '@darkroom/time';
import { MessageFlags, type REST, type RepliableInteraction, Routes } from 'discord.js';
import { z } from 'zod';
import { TOKEN_LIFE_MS } from '../jobs/job.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { toBody } from '../messages/message.ts';
import type { Store } from '../storage/store.ts';
import { sealedPendingTokens } from './pending-tokens.ts';

/**
 * No handler runs for so long, not even one that waits a minute for a job to be cancelled: an answer that still pends
 * then has lost its process.
 */
const LOST_AFTER_MS = 2 * MINUTE_MS;

/** The same in the process that owes it: it may still come, as the machine may have slept, or be very busy. */
const OWN_LOST_AFTER_MS = 10 * MINUTE_MS;

/** How often those are looked for. */
const LOOK_MS = MINUTE_MS;

/** Of more answers than these that one process owes at once, the oldest count as another's. */
const MOST_OWN = 10_000;

/** How long the row of an answer may take, in real milliseconds: Discord waits for three seconds. */
const WRITE_TIMEOUT_MS = 300;

/** For one answer, in real milliseconds. */
const SEND_TIMEOUT_MS = 15_000;

/** Answers that a member was told would come: where a process dies before they do, another one says so. */
export type PendingAnswers = ReturnType<typeof createPendingAnswers>;

type PromisedInteraction = Pick<RepliableInteraction, 'id' | 'applicationId' | 'locale' | 'token'>;

const pendingRow = z.object({
  applicationId: z.string(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  locale: z.string(),
  /** The interaction's, sealed. */
  token: z.string(),
});
type PendingRow = z.output<typeof pendingRow>;

/** What stands as the reply to an interaction. */
const reply = z.object({ flags: z.int() });

export function createPendingAnswers({
  store,
  vault,
  webhooks,
  clock,
  log,
}: {
  store: Store;
  vault: Vault;
  /** Without the bot's token: for interaction webhooks. */
  webhooks: REST;
  clock: Clock;
  log: Log;
}) {
  const rows = store.collection(sealedPendingTokens.collection, pendingRow);
  const { contextOf } = sealedPendingTokens;
  /** Those that this process owes. */
  const own = createCache<string, true>({ max: MOST_OWN, ttlMs: TOKEN_LIFE_MS, clock });

  const warn = (interaction: string, what: string) => (error: unknown) =>
    log.warn({ err: error, interaction }, what);

  /** Unless its answer has come, and only its row is left. */
  async function answer(id: string, { applicationId, locale, token }: PendingRow): Promise<void> {
    const route = Routes.webhookMessage(applicationId, vault.open(token, contextOf(id)));
    const body = toBody({ content: textsFor(locale).refusal.restarted });
    await withTimeout(SEND_TIMEOUT_MS, async (signal) => {
      const { flags } = reply.parse(await webhooks.get(route, { auth: false, signal }));
      if ((flags & MessageFlags.Loading) !== 0) await webhooks.patch(route, { ...body, auth: false, signal });
    });
  }

  /** One that cannot be answered is given up: its token lives for minutes only. */
  async function answerOnce(signal: AbortSignal): Promise<void> {
    const lost = (await rows.list()).filter(
      ({ id, value }) => clock.now() >= value.since + (own.get(id) ? OWN_LOST_AFTER_MS : LOST_AFTER_MS),
    );
    for (const { id, value } of lost) {
      if (signal.aborted) return;
      await answer(id, value).catch(warn(id, 'an answer that its process owed could not be given'));
      own.delete(id);
      await rows.delete(id);
    }
  }

  return {
    /** Before the member is told. Where it cannot be written in time the answer pends unwritten. Never rejects. */
    async add({ id, applicationId, locale, token }: PromisedInteraction): Promise<void> {
      const row = {
        applicationId,
        since: clock.now(),
        locale,
        token: vault.seal(token, contextOf(id)),
      };
      own.set(id, true);
      const write = withTimeout(WRITE_TIMEOUT_MS, () => rows.set(id, row, TOKEN_LIFE_MS));
      await write.catch((error: unknown) => {
        own.delete(id);
        warn(id, 'an answer that pends could not be written down')(error);
      });
    },

    /** It has come. Never rejects. */
    async remove(interactionId: string): Promise<void> {
      own.delete(interactionId);
      await rows.delete(interactionId).catch(warn(interactionId, 'an answer still counts as pending'));
    },

    /** Answers what has lost its process, at once and every minute until `signal` aborts. Never rejects. */
    answerLost: (signal: AbortSignal): Promise<void> =>
      repeat(() => answerOnce(signal), {
        everyMs: LOOK_MS,
        clock,
        signal,
        onError: (error) => log.warn({ err: error }, 'answers that pend could not be looked for'),
      }),
  };
}
