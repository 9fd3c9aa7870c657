import type { Clock } from '@darkroom/time';
import { CallFailed } from '../call-failed.ts';
import { DrawingLost } from './drawing-lost.ts';

/** When a server is asked how far it is. */
export interface PollTimes {
  /** Milliseconds between an answer and the next poll. */
  pollMs: number;
  /** Milliseconds without an answer to a poll after which the drawing counts as lost. */
  silenceMs: number;
}

/**
 * Unless others are given. A server that loads a large model, or one of whose nodes keeps Python from doing anything
 * else, is silent for half a minute, and draws all the same (nunchux-ai/ComfyUI-nunchaku#787).
 */
export const POLL_TIMES: PollTimes = { pollMs: 1_000, silenceMs: 60_000 };

/** Asks a server how far it is, and rejects with `DrawingLost` once it has not answered for `silenceMs`. */
export function createPatience({ silenceMs }: PollTimes, clock: Clock) {
  let answeredAt = clock.now();
  /** Undefined where this one call got no answer. */
  return async <Answer>(call: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      const answer = await call;
      answeredAt = clock.now();
      return answer;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (clock.now() - answeredAt >= silenceMs)
        throw new DrawingLost('the server has not answered for too long', { cause: error });
      return undefined;
    }
  };
}
