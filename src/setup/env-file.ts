import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError } from '@darkroom/process';
import type { Words } from '../operator/words/words.ts';
import { noSettingsIn, settingsIn, statements } from '../settings-file.ts';
import { machineProblem } from './machine-problem.ts';
import { replaceFile, unwritten } from './replace-file.ts';

/** The settings in a file, and what changes them without touching anything else in it. */
export type EnvFile = Awaited<ReturnType<typeof openEnvFile>>;

/** Where a file lies as it was before the last run that changed it. */
export const backupOf = (path: string): string => `${path}.bak`;

const HEADER = '# Settings of Darkroom. What there is, and what it means, stands in .env.example.\n';

/**
 * Reads `path`, which need not be there yet. Throws `OperatorError` where it cannot be read, or holds a line that is
 * no setting.
 */
export async function openEnvFile(path: string, words: Words) {
  let text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OperatorError(words.file.unreadable(resolve(path), machineProblem(error, words)));
  });
  const [line] = noSettingsIn(text ?? '');
  if (line !== undefined) throw new OperatorError(words.file.noSetting(resolve(path), line));
  let isKept = false;
  const isNew = text === undefined;

  return {
    path: resolve(path),
    /** Whether a copy of the file was made before the first change. */
    hasBackup: (): boolean => isKept && !isNew,
    settings: () => settingsIn(text ?? ''),
    /** What the file says; an empty value counts as absent. */
    get: (name: string): string | undefined => settingsIn(text ?? '')[name]?.trim() || undefined,

    /**
     * Writes these at once, or nothing: what they replace keeps its line, what is new comes last. Before the first
     * change of a run the file is copied to `backupOf(path)`. Throws what `unwritten` returns, and `Unwritable` for a
     * value that no file of settings can hold; it is then as before, unless the error says that it is written.
     */
    async set(changes: Readonly<Record<string, string>>): Promise<void> {
      try {
        const changed = withSettings(text ?? HEADER, changes);
        if (!isKept && !isNew) await replaceFile(backupOf(path), text ?? '', { owned: path });
        isKept = true;
        await replaceFile(path, changed);
        text = changed;
      } catch (error) {
        if (error instanceof Unwritable) throw error;
        throw unwritten(path, error, words);
      }
    },
  };
}

/** A setting whose value no line can hold. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable';
  readonly setting: string;

  constructor(setting: string) {
    super(`no line can hold the value of ${setting}`);
    this.setting = setting;
  }
}

/** `text` in which each of these settings has its value; the rest of it is as it was. */
export function withSettings(text: string, changes: Readonly<Record<string, string>>): string {
  const rest = new Map(Object.entries(changes));
  const kept = statements(text).map(({ name, lines }) => {
    const value = name === undefined ? undefined : changes[name];
    if (name === undefined || value === undefined) return lines;
    rest.delete(name);
    return `${assignment(name, value)}${lines.endsWith('\r') ? '\r' : ''}`;
  });
  if (rest.size === 0) return kept.join('\n');
  while (kept.length > 0 && kept.at(-1)?.trim() === '') kept.pop();
  return `${[...kept, ...[...rest].map(([name, value]) => assignment(name, value))].join('\n')}\n`;
}

/** Throws `Unwritable` for a value that no line can hold. */
function assignment(name: string, value: string): string {
  // A quotation mark that begins a bare value would take the lines that follow with it.
  const bare = /^["'`]/.test(value) ? [] : [value];
  const [single = '', ...others] = [`'`, '"', '`'].map((quote) => `${quote}${value}${quote}`);
  // Compose fills in what stands after a $ anywhere else.
  const forms = value.includes('$') ? [single, ...bare, ...others] : [...bare, single, ...others];
  const line = forms
    .map((form) => `${name}=${form}`)
    .find((one) => !one.includes('\n') && parseEnv(one)[name] === value && statements(one)[0]?.name === name);
  if (line === undefined) throw new Unwritable(name);
  return line;
}
