import { OperatorError } from '@darkroom/process';
import { addressedHere } from '../container-host.ts';
import type { Words } from '../operator/words/words.ts';
import { type Ask, untilDone } from './ask.ts';
import { type EnvFile, Unwritable } from './env-file.ts';

/** Settings whose values nobody may see. */
export const SECRETS: ReadonlySet<string> = new Set([
  'DISCORD_TOKEN',
  'IMAGE_API_KEY',
  'AI_HORDE_KEY',
  'HOSTED_API_KEY',
  'SECRET_KEY',
  'POSTGRES_PASSWORD',
  // May hold a name and a password.
  'SDWEBUI_URL',
  'STORE_URL',
  'SERVICE_DATABASE_URL',
]);

/** An address as others may read it, or several, separated by commas. A password may hold an @ itself. */
export const withoutPassword = (urls: string): string => urls.replace(/\/\/[^/?#,]*@/g, '//');

export type Settings = ReturnType<typeof createSettings>;

/**
 * What holds: what was answered in this run, else what was given with the call, else the file. What is answered is
 * written to the file at once; what stands there already is replaced only with somebody's consent.
 */
export function createSettings({
  file,
  flags,
  exported,
  ask,
  words,
}: {
  file: EnvFile;
  flags: Readonly<Record<string, string>>;
  /** The environment without the file: it comes first whenever a program starts, also where it is empty. */
  exported: Readonly<Record<string, string | undefined>>;
  ask: Ask;
  words: Words;
}) {
  const given: Readonly<Record<string, string | undefined>> = { ...exported, ...flags };
  const answered = new Map<string, string>();
  const changed = new Set<string>();
  const get = (name: string): string | undefined => {
    const value = answered.get(name) ?? (given[name]?.trim() || file.get(name));
    return value || undefined;
  };
  const shown = (name: string, value: string) =>
    value === '' ? words.nothing : SECRETS.has(name) ? words.aSecret : withoutPassword(value);

  /** The names of settings of which the environment has another value than was answered, or stands in the file. */
  const overridden = (): string[] =>
    Object.entries(exported).flatMap(([name, set = '']) =>
      (answered.get(name) ?? file.get(name) ?? set.trim()) === set.trim() ? [] : [name],
    );

  /**
   * Until it is written, or nobody would try it again: then it rejects with `Stopped`. Resolves with false where
   * another value is wanted.
   */
  async function write(changes: Readonly<Record<string, string>>): Promise<boolean> {
    try {
      await untilDone(() => file.set(changes), { ask, question: words.file.again });
      return true;
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
      const problem = words.file.noValue(error.setting);
      if (!ask.isAttended) throw new OperatorError(problem);
      ask.wrong(problem);
      return false;
    }
  }

  return {
    get,
    /** Everything that holds, as a program of this machine finds it in its environment. */
    all(): Promise<Record<string, string>> {
      const names = [...Object.keys(file.settings()), ...Object.keys(given), ...answered.keys()];
      return addressedHere(Object.fromEntries(names.map((name) => [name, get(name) ?? ''])));
    },
    /** The names of what this run has written. */
    changed: (): string[] => [...changed],
    overridden,

    /**
     * Empty values take a setting away. Resolves with whether all of them hold now; says of which the environment has
     * another value, which this cannot change.
     */
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
      if (Object.keys(changes).length > 0 && !(await write(changes))) return false;
      for (const [name, value] of Object.entries(changes)) {
        answered.set(name, value);
        changed.add(name);
      }
      const outlasting = overridden().filter((name) => Object.hasOwn(values, name));
      if (outlasting.length > 0) ask.tell(words.elsewhere(outlasting));
      return true;
    },
  };
}
