import type { Environment } from './environment.ts';
import { nearest } from './nearest.ts';

/** Names that other programs have as well, or names close to them. */
const COMMON: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'LOG_LEVEL',
  'HTTP_PORT',
  'HTTP_HOST',
  'AWS_REGION',
  'SHARDS',
]);
/** A shorter name is close to too many others. */
const SHORTEST = 8;

/**
 * A sentence for each variable that is set, is none of ours, and is one or two letters away from one of ours that is
 * not set. A variable of another program is not spoken of.
 */
export function misspeltSettings(env: Environment, known: readonly string[]): string[] {
  const missing = known.filter((name) => !env[name] && !COMMON.has(name) && name.length >= SHORTEST);
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || !env[name]) return [];
    const meant = nearest(name.toUpperCase(), missing, (other) => (other.length >= 12 ? 2 : 1));
    return meant === undefined ? [] : [`${name} is no setting of Darkroom. Did you mean ${meant}?`];
  });
}

/** Says on standard error which variables are misspelt: the program goes on without them. */
export function tellMisspelt(env: Environment, known: readonly string[]): void {
  for (const sentence of misspeltSettings(env, known)) process.stderr.write(`${sentence}\n`);
}
