import type { Log } from '@darkroom/process';
import { backoffMs, type Clock, isTimeout, type Semaphore, steadyClock, withTimeout } from '@darkroom/time';
import type { FindResult } from '../jobs/delivery-port.ts';
import type { Job, MessageLocation } from '../jobs/job.ts';
import { inRoom } from '../jobs/picture-room.ts';
import type { Message } from '../messages/message.ts';
import {
  classifyDiscordError,
  closesChannelToMessage,
  type DiscordFailure,
} from './classify-discord-error.ts';
import { NONCE_TRUST_MS } from './message-api.ts';
import type { Outage } from './outage.ts';
import type { ShrinkableMessage } from './outcome-message.ts';
import type { Target } from './targets.ts';
import { transferMs } from './transfer-time.ts';

/** For one attempt, beside the time that its files take on a slow line. */
const TIMEOUT_MS = 15_000;

/**
 * After so many uploads that took too long, the line is too slow for pictures of this size, unless it is Discord that
 * is slow, and they stand there already.
 */
const SLOW_UPLOADS = 2;

/** The longest wait between two attempts while Discord answers others, in milliseconds. */
const LONGEST_BACKOFF_MS = 8_000;

/** The jitter of a wait that Discord has asked for. */
const AFTER_LIMIT_MS = 500;

/**
 * What became of a message:
 * - `sent` it stands at `location`
 * - `refused` the target is closed, and no attempt has arrived. `closesChannel`: nothing can be shown in its channel
 *   at all
 * - `unconfirmed` Discord failed for too long, and nobody knows whether an attempt arrived
 * - `unverifiable` the target was closed after an attempt that may have arrived, and the bot cannot read it
 */
export type SendResult =
  | { state: 'sent'; location: MessageLocation }
  | { state: 'refused'; closesChannel: boolean }
  | { state: 'unconfirmed' }
  | { state: 'unverifiable' };

type Attempt = SendResult | { state: 'failed'; retryAfterMs: number };

interface SendRequest {
  target: Target;
  message: ShrinkableMessage;
  job: Job;
  signal: AbortSignal;
  /** How long Discord may fail. */
  giveUpAfterMs: number;
}

/**
 * Sends to one target: once, or until it works, is refused, or Discord has failed for too long. Every attempt has a
 * timeout.
 */
export type Sender = ReturnType<typeof createSender>;

export function createSender({
  findIn,
  outage,
  memory,
  clock: machineClock,
  log,
}: {
  /** Looks for our message. Rejects where Discord fails temporarily, or with the reason of `signal`. */
  findIn(target: Target['name'], job: Job, signal: AbortSignal): Promise<FindResult>;
  outage: Outage;
  /** Bytes of pictures on their way to Discord. */
  memory: Semaphore;
  clock: Clock;
  log: Log;
}) {
  const clock = steadyClock(machineClock);

  /** `send` sends it. Rejects as that does. */
  const sendOnce = <Sent>(
    message: Message,
    send: (within: AbortSignal) => Promise<Sent>,
    signal?: AbortSignal,
  ): Promise<Sent> =>
    outage.observe(withTimeout(TIMEOUT_MS + transferMs(sizeOf(message)), send, { signal, clock }), {
      signal,
    });

  /** Once, but with smaller pictures as long as Discord finds them too large. `slow`: files took too long. */
  async function attempt(
    request: SendRequest,
  ): Promise<{ location: MessageLocation } | { failure: DiscordFailure; slow: boolean }> {
    const { target, message, job, signal } = request;
    const written = await message.write(signal);
    try {
      const send = (within: AbortSignal) => target.send(written, within);
      const { channelId, messageId } = await sendOnce(written, send, signal);
      return { location: { channelId, messageId } };
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, job: job.id, target: target.name }, 'a message could not be sent');
      const failure = classifyDiscordError(error);
      if (failure.kind === 'too-large' && message.shrink()) return attempt(request);
      return { failure, slow: isTimeout(error) && sizeOf(written) > 0 };
    }
  }

  /** Finds out whether an earlier attempt has arrived; undefined where none has. */
  async function findEarlier({ target, job, signal }: SendRequest): Promise<Attempt | undefined> {
    try {
      const result = await findIn(target.name, job, signal);
      if (result.state === 'found') return { state: 'sent', location: result.message };
      return result.state === 'unknown' ? { state: 'unverifiable' } : undefined;
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, job: job.id, target: target.name }, 'our message could not be looked for');
      return failedFor(classifyDiscordError(error));
    }
  }

  return {
    sendOnce,

    /** Posts nothing twice. Rejects with the signal's reason, or as `message` does. */
    async sendWithRetry(request: SendRequest): Promise<SendResult> {
      const { target, message, signal, giveUpAfterMs } = request;
      const startedAt = clock.now();
      const until = startedAt + giveUpAfterMs;
      let mayHaveArrived = false;
      let slowUploads = 0;

      async function attemptOrVerify(): Promise<Attempt> {
        const nonceForgotten =
          target.name === 'follow-up' ||
          (target.name !== 'reply' && clock.now() - startedAt > NONCE_TRUST_MS);
        const earlier = mayHaveArrived && nonceForgotten && (await findEarlier(request));
        if (earlier) return earlier;
        // Before its pictures are read.
        const waitMs = target.waitMs?.() ?? 0;
        if (waitMs > 0) return { state: 'failed', retryAfterMs: waitMs };
        const result = await inRoom(memory, message, () => attempt(request), { signal });
        if ('location' in result) return { state: 'sent', location: result.location };
        const { failure, slow } = result;
        if (slow) slowUploads += 1;
        if (slow && slowUploads % SLOW_UPLOADS === 0) {
          const arrived = await findEarlier(request);
          if (arrived?.state === 'sent' || arrived?.state === 'failed') return arrived;
          message.shrink();
        }
        if (failure.kind === 'temporary') {
          mayHaveArrived ||= failure.mayHaveArrived;
          return failedFor(failure);
        }
        const arrived = mayHaveArrived ? await findEarlier(request) : undefined;
        return arrived ?? { state: 'refused', closesChannel: closesChannelToMessage(failure) };
      }

      for (let count = 1; ; count += 1) {
        const result = await attemptOrVerify();
        if (result.state !== 'failed') return result;
        const { retryAfterMs } = result;
        if (clock.now() + retryAfterMs >= until) return { state: 'unconfirmed' };
        if (retryAfterMs > 0) await clock.sleep(retryAfterMs + Math.random() * AFTER_LIMIT_MS, signal);
        else if (!outage.isDown())
          await clock.sleep(backoffMs({ attempt: count, maxMs: LONGEST_BACKOFF_MS }), signal);
        if (!(await outage.untilAdmitted(signal, until - clock.now()))) return { state: 'unconfirmed' };
      }
    },
  };
}

const failedFor = (failure: DiscordFailure): Attempt => ({
  state: 'failed',
  retryAfterMs: failure.kind === 'temporary' ? failure.retryAfterMs : 0,
});

const sizeOf = ({ files = [] }: Message): number =>
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
