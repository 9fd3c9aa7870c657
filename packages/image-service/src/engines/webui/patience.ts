import type { Clock } from '@darkroom/time';
import { CallFailed } from '../call-failed.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';

/** Asks a server how far it is, and rejects with `DrawingLost` once it has not answered for `silenceMs`. */
export function createPatience({ silenceMs, clock }: { silenceMs: number; clock: Clock }) {
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
