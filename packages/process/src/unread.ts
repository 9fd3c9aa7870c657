import { type Environment, isLink } from './environment.ts';
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
 * A sentence for each variable that is set and not read, where it may be meant for us: none of ours, but one or two
 * letters away from one of ours that is not set; or one of ours that Kubernetes has set. A variable of another program
 * is not spoken of.
 */
export function unreadSettings(env: Environment, known: readonly string[]): string[] {
  const missing = known.filter((name) => !env[name] && !COMMON.has(name) && name.length >= SHORTEST);
  return Object.keys(env).flatMap((name) => {
    const value = env[name]?.trim();
    if (!value) return [];
    if (known.includes(name)) return isLink(name, value) ? [ofKubernetes(name)] : [];
    const meant = nearest(name.toUpperCase(), missing, (other) => (other.length >= 12 ? 2 : 1));
    return meant === undefined ? [] : [`${name} is no setting of Darkroom. Did you mean ${meant}?`];
  });
}

const ofKubernetes = (name: string) =>
  `${name} is not read: Kubernetes has set it, for a Service of that name. Set it in the pod yourself, or put enableServiceLinks: false there.`;

/** Says on standard error what of the environment is not read: the program goes on without it. */
export function tellUnread(env: Environment, known: readonly string[]): void {
  for (const sentence of unreadSettings(env, known)) process.stderr.write(`${sentence}\n`);
}
