import type { Words } from '../operator/words/words.ts';
import type { Ask } from './ask.ts';
import type { EnvFile } from './env-file.ts';

/** Settings whose values nobody may see. */
const SECRETS: ReadonlySet<string> = new Set([
  'DISCORD_TOKEN',
  'IMAGE_API_KEY',
  'AI_HORDE_KEY',
  'HOSTED_API_KEY',
  'SECRET_KEY',
  // May hold a name and a password.
  'SDWEBUI_URL',
  'STORE_URL',
  'SERVICE_DATABASE_URL',
]);

/** An address as others may read it, or several, separated by commas. A password may hold an @ itself. */
export const withoutPassword = (urls: string): string => urls.replace(/\/\/[^/?#,]*@/g, '//');

export type Settings = ReturnType<typeof createSettings>;

/**
 * What holds: what was answered in this run, else what was given with the call, else the file. What is answered is written to the
 * file at once; what stands there already is replaced only with somebody's consent.
 */
export function createSettings({
  file,
  given,
  ask,
  words,
}: {
  file: EnvFile;
  /** Flags and the environment. */
  given: Readonly<Record<string, string | undefined>>;
  ask: Ask;
  words: Words;
}) {
  const answered = new Map<string, string>();
  const changed = new Set<string>();
  const get = (name: string): string | undefined => {
    const value = answered.get(name) ?? (given[name]?.trim() || file.get(name));
    return value || undefined;
  };
  const shown = (name: string, value: string) =>
    value === '' ? words.nothing : SECRETS.has(name) ? words.aSecret : withoutPassword(value);

  return {
    get,
    /** Everything that holds, as a program finds it in its environment. */
    all(): Record<string, string> {
      const names = [...Object.keys(given), ...answered.keys()];
      return Object.fromEntries(names.flatMap((name) => [[name, get(name) ?? '']]));
    },
    /** The names of what this run has written. */
    changed: (): string[] => [...changed],

    /** Empty values take a setting away. Resolves with whether all of them hold now. */
    async save(values: Readonly<Record<string, string>>): Promise<boolean> {
      const changes: Record<string, string> = {};
      for (const [name, value] of Object.entries(values)) {
        const before = file.get(name) ?? '';
        if (before === value) {
          answered.set(name, value);
          continue;
        }
        const isKept =
          before !== '' &&
          ask.isAttended &&
          !(await ask.confirm(words.replace(name, shown(name, before), shown(name, value))));
        if (isKept) return false;
        changes[name] = value;
      }
      if (Object.keys(changes).length > 0) await file.set(changes);
      for (const [name, value] of Object.entries(changes)) {
        answered.set(name, value);
        changed.add(name);
      }
      return true;
    },
  };
}
