import { type Log, messageOf, OperatorError } from '@darkroom/process';
import { type Clock, createCache } from '@darkroom/time';
import type { Away } from '../engine.ts';
import { NotNow, TROUBLES, troubleIn } from './failure.ts';

/** For so long it holds that the provider answers and accepts the key. */
const ASKED_MS = 60_000;
/** When to try again what is in trouble. */
const AGAIN_MS = 30_000;

/** Whether a provider draws, as far as its last answers tell: its operator hears once of what keeps it from that. */
export function createAttendance({
  title,
  question,
  clock,
  log,
}: {
  title: string;
  /** Asks with the key for something that costs nothing; undefined where there is no such thing. */
  question: (() => Promise<Response>) | undefined;
  clock: Clock;
  log: Log;
}) {
  const asked = createCache<'question', Promise<void>>({ max: 1, ttlMs: ASKED_MS, clock });
  let away: (Away & { mend: string; until: number; isAnswerable: boolean }) | undefined;
  let told: string | undefined;

  function noteFailure(error: unknown): void {
    if (!(error instanceof NotNow) || !error.trouble) return;
    const { says, mend } = TROUBLES[error.trouble];
    const reason = `${title} ${says}.`;
    if (told !== reason) log.error({ reason: error.message }, `${reason} It is tried again later. ${mend}`);
    told = reason;
    const isAnswerable = question !== undefined && ['address', 'key'].includes(error.trouble);
    away = { reason, mend, retryAfterMs: AGAIN_MS, until: clock.now() + AGAIN_MS, isAnswerable };
  }

  function noteAnswer(): void {
    if (told !== undefined) log.info(`${title} draws again`);
    told = undefined;
    away = undefined;
  }

  /** Never rejects. */
  const ask = (): Promise<void> =>
    asked.recall('question', async () => {
      if (!question) return;
      try {
        const answer = await question();
        if (troubleIn(answer.status, await answer.text()) === 'key')
          throw new NotNow(`answered ${answer.status}`, { trouble: 'key' });
        if (away?.isAnswerable) noteAnswer();
      } catch (error) {
        asked.delete('question');
        noteFailure(error instanceof NotNow ? error : new NotNow(messageOf(error), { trouble: 'address' }));
      }
    });

  return {
    noteFailure,
    noteAnswer,

    /** Why it draws nothing now; undefined where it may. */
    async away(): Promise<Away | undefined> {
      if (away && clock.now() >= away.until) {
        if (away.isAnswerable) await ask();
        // Only a picture can tell.
        else away = undefined;
      }
      return away && { reason: away.reason, retryAfterMs: away.retryAfterMs };
    },

    ask,

    /** See `Engine.examine`. */
    async examine(): Promise<string> {
      if (!question) return `the key is tried with the first picture of ${title}`;
      await ask();
      if (away) throw new OperatorError(`${away.reason} ${away.mend}.`);
      return `${title} accepts the key`;
    },

    /** The same, without asking. */
    problem: (): string | undefined => away?.reason,
  };
}
