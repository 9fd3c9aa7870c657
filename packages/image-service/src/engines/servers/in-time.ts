import { withTimeout } from '@darkroom/time';

/**
 * How long a caller waits for the servers' answers. The calls themselves go on, so that a server that does not answer
 * gets its back-off.
 */
const WAIT_MS = 2_000;

/** What the servers answer; undefined where that takes too long, or fails. */
export const inTime = <Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> => withTimeout(WAIT_MS, ask, { signal }).catch(() => undefined);
