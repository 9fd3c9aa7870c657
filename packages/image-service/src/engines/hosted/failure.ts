import { readRetryAfter } from '@darkroom/image-api';
import { messageOf } from '@darkroom/process';
import { z } from 'zod';
import { DrawingError } from '../engine.ts';
import { parseJson } from '../parse-json.ts';
import type { Exchange } from './exchange.ts';
import { type Trouble, troubleIn } from './trouble.ts';
import { withheld } from './withheld.ts';

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

const MAX_REASON = 300;

const UNKNOWN = 'Whether it charges for that cannot be known, so it is not asked again.';

/** Where Google says when to come back, in seconds; it sends no header (google.rpc.RetryInfo). */
const RETRY_DELAY = /"retryDelay": ?"(\d+(?:\.\d+)?)s"/;

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
 * `DrawingError` in words for whoever asked; a `WithheldError` where it is paid for.
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
    const { status, text, retryAfter, date } = refused;
    const reason = oneLine(hide(words.safeParse(parseJson(text)).data ?? ''));
    const trouble = troubleIn(status, text);
    if (trouble) return new NotNow(`${status} ${reason}`, { trouble });
    if (status === 408 || status === 429 || status >= 500)
      return new NotNow(`${status} ${reason}`, {
        retryAfterMs: readRetryAfter(retryAfter ?? RETRY_DELAY.exec(text)?.[1], now, date),
      });
    return new DrawingError(`${title} refused this: ${reason || `status ${status}`}`);
  }
  const isEmpty = error instanceof Error && error.name === 'AI_NoImageGeneratedError';
  const cause = new Error(oneLine(hide(messageOf(error))));
  if (standing() === 'accepted' && isEmpty)
    return withheld(`${title} answered without a picture, as its content policy may want it. ${UNKNOWN}`, {
      cause,
    });
  const what =
    standing() === 'sent'
      ? `${title} was asked for this picture and has not answered it`
      : `${title} answered without a picture that can be read`;
  return new DrawingError(`${what}. ${UNKNOWN}`, { cause });
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON);
