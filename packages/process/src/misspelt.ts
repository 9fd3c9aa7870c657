import type { Environment } from './environment.ts';

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
 * A sentence for each variable that is set, is none of ours, and is one or two letters away from one of ours that is not
 * set. A variable of another program is not spoken of.
 */
export function misspeltSettings(env: Environment, known: readonly string[]): string[] {
  const missing = known.filter((name) => !env[name] && !COMMON.has(name) && name.length >= SHORTEST);
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || !env[name]) return [];
    const meant = missing.find((other) => areClose(name, other));
    return meant === undefined ? [] : [`${name} is no setting of Darkroom. Did you mean ${meant}?`];
  });
}

/** Says on standard error which variables are misspelt: the program goes on without them. */
export function tellMisspelt(env: Environment, known: readonly string[]): void {
  for (const sentence of misspeltSettings(env, known)) process.stderr.write(`${sentence}\n`);
}

/** Whether two names differ in one letter, or in two that are neighbours or of a long name. */
function areClose(one: string, other: string): boolean {
  const most = other.length >= 12 ? 2 : 1;
  if (Math.abs(one.length - other.length) > most) return false;
  const name = one.toUpperCase();
  return distance(name, other) <= most;
}

/** Letters that are added, left out, changed or swapped with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1];
      const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
