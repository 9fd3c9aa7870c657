import { type Log, messageOf, OperatorError } from '@darkroom/process';
import { type Clock, createCache } from '@darkroom/time';
import type { Unavailable } from '../engine.ts';
import { NotNow } from './failure.ts';
import type { Provider } from './providers.ts';
import { refusesKey, TROUBLES, troubleIn } from './trouble.ts';

/** When to try again what is in trouble. What was answered before it holds no longer than that. */
const AGAIN_MS = 30_000;

/** Whether the answer to a question tells this trouble; a proxy that draws may not know the address of a model. */
const TELLS = {
  key: refusesKey,
  model: (status: number, answer: string) =>
    troubleIn(status, answer) === 'model' && /not_found|could not be found/i.test(answer),
};

/** Whatever is not about one model. */
const EVERY_MODEL = '';

interface Absence {
  reason: string;
  mend: string;
  /** Milliseconds since the epoch. */
  until: number;
  /** Whether the question tells when it is over. */
  isAnswerable: boolean;
}

/** Whether a provider draws, as far as its last answers tell: its operator hears once of what keeps it from that. */
export function createAttendance({
  provider: { title, keyPath, isOwnAnswer, modelPath },
  models,
  hasKey,
  question,
  clock,
  log,
}: {
  provider: Pick<Provider, 'title' | 'keyPath' | 'isOwnAnswer' | 'modelPath'>;
  /** The usual one, without which it counts as unavailable, and those that workflows name. */
  models: readonly [string, ...string[]];
  /** A server of one's own may take none. */
  hasKey: boolean;
  /** Asks with the key for something that costs nothing. */
  question(path: string): Promise<Response>;
  clock: Clock;
  log: Log;
}) {
  const [usualModel] = models;
  const asked = createCache<'all', Promise<void>>({ max: 1, ttlMs: AGAIN_MS, clock });
  const noted = new Map<string, Absence>();

  /** `isAnswerable`: whether the question told it. */
  function noteFailure(error: unknown, model: string, isAnswerable = false): void {
    if (!(error instanceof NotNow) || !error.trouble) return;
    const { trouble } = error;
    const subject = trouble === 'model' || trouble === 'access' ? model : EVERY_MODEL;
    const { says } = TROUBLES[trouble];
    const mend =
      trouble === 'model' && model !== usualModel ? 'Check SERVICE_WORKFLOWS' : TROUBLES[trouble].mend;
    const reason = subject === EVERY_MODEL ? `${title} ${says}.` : `${title} ${says} ${model}.`;
    if (noted.get(subject)?.reason !== reason)
      log.error({ reason: error.message, model }, `${reason} It is tried again later. ${mend}`);
    noted.set(subject, {
      reason,
      mend,
      until: clock.now() + AGAIN_MS,
      isAnswerable: isAnswerable || (keyPath !== undefined && ['address', 'server', 'key'].includes(trouble)),
    });
  }

  function noteAnswer(...models: readonly string[]): void {
    const ended = [EVERY_MODEL, ...models].filter((subject) => noted.delete(subject));
    if (ended.length > 0) log.info(`${title} draws again`);
  }

  /** Where only a picture can tell whether it is over, one is tried again. */
  const absence = (model: string): Absence | undefined =>
    [EVERY_MODEL, model]
      .flatMap((subject) => noted.get(subject) ?? [])
      .find(({ isAnswerable, until }) => isAnswerable || clock.now() < until);

  /** Asks what costs nothing, and notes what the answer tells. Never rejects. */
  async function askFor(trouble: 'key' | 'model', model: string, path: string): Promise<void> {
    try {
      const answer = await question(path);
      const text = await answer.text();
      if (TELLS[trouble](answer.status, text)) throw new NotNow(`answered ${answer.status}`, { trouble });
      if (trouble === 'key' && answer.ok && isOwnAnswer?.(text) === false)
        throw new NotNow('answered something else', { trouble: 'server' });
      const subject = trouble === 'model' ? model : EVERY_MODEL;
      if (noted.get(subject)?.isAnswerable) noteAnswer(subject);
    } catch (error) {
      // That a question was not answered says nothing of its model; it is not repeated with each submission either.
      if (trouble === 'model' && !(error instanceof NotNow)) return;
      asked.delete('all');
      const failure = error instanceof NotNow ? error : new NotNow(messageOf(error), { trouble: 'address' });
      noteFailure(failure, model, true);
    }
  }

  /** Never rejects. */
  const ask = (): Promise<void> =>
    asked.recall('all', async () => {
      if (keyPath === undefined) return;
      await askFor('key', usualModel, keyPath);
      if (noted.get(EVERY_MODEL)?.isAnswerable) return;
      await Promise.all(models.map(async (model) => modelPath && askFor('model', model, modelPath(model))));
    });

  return {
    noteFailure: (error: unknown, model: string) => noteFailure(error, model),
    noteAnswer,

    /** Why it draws nothing with a model now; undefined where it may. */
    async unavailable(model: string): Promise<Unavailable | undefined> {
      const found = absence(model);
      if (found?.isAnswerable && clock.now() >= found.until) await ask();
      const { reason } = absence(model) ?? {};
      return reason === undefined ? undefined : { reason, retryAfterMs: AGAIN_MS };
    },

    ask,

    /** See `Engine.examine`. */
    async examine(): Promise<string> {
      if (keyPath === undefined) return `the key is tried with the first picture of ${title}`;
      await ask();
      const wrong = [...noted.values()].map(({ reason, mend }) => `${reason} ${mend}.`);
      if (wrong.length > 0) throw new OperatorError(wrong.join(' '));
      return hasKey ? `${title} accepts the key` : `${title} answers`;
    },

    /** The same, without asking. */
    problem: (): string | undefined => absence(usualModel)?.reason,
  };
}
