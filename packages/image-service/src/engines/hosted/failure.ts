import { readRetryAfter } from '@darkroom/image-api';
import { messageOf } from '@darkroom/process';
import { z } from 'zod';
import { DrawingError } from '../engine.ts';
import type { Exchange } from './exchange.ts';

/** Why a provider draws nothing at the moment, though it may later. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly retryAfterMs: number | undefined;
  /** What it is about, where the operator can put it right. */
  readonly trouble: Trouble | undefined;

  constructor(message: string, details: { retryAfterMs?: number | undefined; trouble?: Trouble } = {}) {
    super(message);
    this.retryAfterMs = details.retryAfterMs;
    this.trouble = details.trouble;
  }
}

/** What keeps a provider from drawing until its operator does something. */
export type Trouble = 'address' | 'key' | 'model' | 'credit';

/** What is said of trouble: to whoever asks for a picture, the model's name after it, and to the operator. */
export const TROUBLES: Readonly<Record<Trouble, { says: string; mend: string }>> = {
  address: { says: 'does not answer at the moment', mend: 'Check HOSTED_BASE_URL and the network' },
  key: { says: 'does not accept the key of this service', mend: 'Check HOSTED_API_KEY' },
  model: { says: 'does not have the model', mend: 'Check HOSTED_MODEL' },
  credit: { says: 'does not draw on the credit of this service any more', mend: 'Top it up there' },
};

/** Words by which providers say that nobody pays. */
const WITHOUT_CREDIT = /insufficient_quota|billing|exhausted balance|insufficient (balance|credit|funds)/i;
/** By which Google, to which a wrong key is an invalid argument, names it. */
const WRONG_KEY = /API_KEY_INVALID/;
const MAX_REASON = 300;

/** A refusal's words, as the providers send them. */
const words = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: z.string() })) })
    .transform(({ detail }) => detail.map(({ msg }) => msg).join('; ')),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/**
 * What a failed attempt at a picture means: a `NotNow` where it may be made again, since nothing was charged, or a
 * `DrawingError` in words for whoever asked.
 */
export function readFailure(
  error: unknown,
  { standing, refusal }: Exchange,
  { title, secrets, now }: { title: string; secrets: readonly string[]; now: number },
): NotNow | DrawingError {
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text);
  const refused = refusal();
  if (standing() === 'unsent')
    return new NotNow(`no connection: ${hide(messageOf(error))}`, { trouble: 'address' });
  if (standing() === 'refused' && refused) {
    const { status, text, retryAfter } = refused;
    const reason = oneLine(hide(wordsOf(text)));
    const trouble = troubleIn(status, text);
    if (trouble) return new NotNow(`${status} ${reason}`, { trouble });
    if (status === 408 || status === 429 || status >= 500)
      return new NotNow(`${status} ${reason}`, { retryAfterMs: readRetryAfter(retryAfter, now) });
    return new DrawingError(`${title} refused this: ${reason || `status ${status}`}`);
  }
  const what =
    standing() === 'sent'
      ? `${title} was asked for this picture and has not answered it`
      : emptyHanded(error);
  return new DrawingError(`${what}. Whether it charges for that cannot be known, so it is not asked again.`, {
    cause: new Error(oneLine(hide(messageOf(error)))),
  });

  function emptyHanded(thrown: unknown): string {
    return thrown instanceof Error && thrown.name === 'AI_NoImageGeneratedError'
      ? `${title} answered without a picture, as its content policy may want it`
      : `${title} answered without a picture that can be read`;
  }
}

/** What an answer without a picture tells of trouble. */
export function troubleIn(status: number, text: string): Trouble | undefined {
  if (status === 400 && WRONG_KEY.test(text)) return 'key';
  if (status === 402 || ([400, 403, 429].includes(status) && WITHOUT_CREDIT.test(text))) return 'credit';
  if (status === 401 || status === 403) return 'key';
  return status === 404 ? 'model' : undefined;
}

function wordsOf(text: string): string {
  try {
    return words.safeParse(JSON.parse(text)).data ?? '';
  } catch {
    return '';
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON);
