import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';

/** Logs what has failed, but no outage of the database: that is said once for all who notice. */
export const logUnlessUnavailable =
  (log: Log, message: string) =>
  (error: unknown): void => {
    if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, message);
  };
