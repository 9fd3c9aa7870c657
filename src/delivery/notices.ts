import { randomBytes } from 'node:crypto';
import { type Clock, type RetryPolicy, retry, withTimeout } from '@darkroom/time';
import type { Message } from '../messages/message.ts';
import { retryTemporary } from './classify-discord-error.ts';
import { type ChannelLocation, type MessageApi, NONCE_TRUST_MS } from './message-api.ts';

/** For one attempt. */
const ATTEMPT_MS = 15_000;

interface NoticeOptions {
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
 * Posts what tells somebody something: a report, an entry of a log, a warning. It may be lost, and nobody looks for
 * it afterwards; an outcome is sent by `Sender`.
 */
export interface Notices {
  /** Again while Discord fails. Rejects as the last attempt did, or with the reason of `signal`. */
  post(channel: ChannelLocation, message: Message, options?: NoticeOptions): Promise<void>;
}

export function createNotices({
  discord,
  clock,
  random = Math.random,
}: {
  discord: Pick<MessageApi, 'post'>;
  clock: Clock;
  /** In [0, 1): the jitter of waits. */
  random?: () => number;
}): Notices {
  return {
    async post(channel, message, options = {}) {
      const {
        nonce = randomBytes(12).toString('hex'),
        repliesTo,
        bounds = { budgetMs: NONCE_TRUST_MS },
        paced = (attempt) => attempt(),
        signal,
      } = options;
      const attempt = async () => {
        await withTimeout(ATTEMPT_MS, (within) => discord.post(channel, nonce, message, within, repliesTo), {
          signal,
          clock,
        });
      };
      const policy: RetryPolicy = { ...bounds, ...retryTemporary };
      await retry(() => paced(attempt), { policy, clock, random, signal });
    },
  };
}
