import { statSync } from 'node:fs';

/**
 * Whether nothing is at `path`. Where its user may not look there is something: whoever opens it hears why that cannot
 * be done.
 */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
