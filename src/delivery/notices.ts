import { randomBytes } from 'node:crypto';
import { type Clock, type RetryPolicy, retry, withTimeout } from '@darkroom/time';
import type { Message } from '../messages/message.ts';
import { retryTemporary } from './classify-discord-error.ts';
import { type ChannelLocation, type MessageApi, NONCE_TRUST_MS } from './message-api.ts';

/** For one attempt. */
const ATTEMPT_MS = 15_000;

interface NoticeOptions {
  discord: Pick<MessageApi, 'post'>;
  clock: Clock;
  /** Discord posts it once for each; one of its own unless given. */
  nonce?: string;
  /** The message that it replies to, as long as that is there. */
  repliesTo?: string | undefined;
  /** When it is given up; after a minute of failures unless given. */
  bounds?: Pick<RetryPolicy, 'budgetMs' | 'maxAttempts'>;
  /** Does each attempt when it may be done; where it rejects, so has the attempt. */
  paced?: (attempt: () => Promise<void>) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Posts what tells somebody something: a report, an entry of a log, a warning; again while Discord fails. It may be
 * lost, and nobody looks for it afterwards; an outcome is sent by `sender.ts`. Rejects as the last attempt did, or
 * with the reason of `signal`.
 */
export async function postNotice(
  channel: ChannelLocation,
  message: Message,
  {
    discord,
    clock,
    nonce = randomBytes(12).toString('hex'),
    repliesTo,
    bounds = { budgetMs: NONCE_TRUST_MS },
    paced = (attempt) => attempt(),
    signal,
  }: NoticeOptions,
): Promise<void> {
  const attempt = async () => {
    const post = (within: AbortSignal) => discord.post(channel, nonce, message, within, repliesTo);
    await withTimeout(ATTEMPT_MS, post, { signal, clock });
  };
  const policy: RetryPolicy = { ...bounds, ...retryTemporary };
  await retry(() => paced(attempt), { policy, clock, signal });
}
