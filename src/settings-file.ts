import { parseEnv } from 'node:util';

/** The file of settings, in the folder that everything else lies in as well. It may hold the token: mode 0600. */
export const SETTINGS_FILE = '.env';

/** A setting at the beginning of a line, as Node reads it: also with the end that lines have on Windows. */
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)\r?$/;

/** The lines of a text, each setting with all of the lines that its value has. */
export function statements(text: string): { name: string | undefined; lines: string }[] {
  const lines = text.split('\n');
  const found: { name: string | undefined; lines: string }[] = [];
  for (let nth = 0; nth < lines.length; nth += 1) {
    const line = lines[nth] ?? '';
    const [, name, value = ''] = ASSIGNMENT.exec(line) ?? [];
    const [, quote] = /^\s*(["'`])/.exec(value) ?? [];
    let last = nth;
    if (quote !== undefined && !value.trimStart().slice(1).includes(quote)) {
      let closing = nth + 1;
      while (closing < lines.length && !lines[closing]?.includes(quote)) closing += 1;
      if (closing < lines.length) last = closing;
    }
    found.push({ name, lines: lines.slice(nth, last + 1).join('\n') });
    nth = last;
  }
  return found;
}

/** The numbers of the lines that are neither a setting nor a comment. */
export function noSettingsIn(text: string): number[] {
  const found: number[] = [];
  let line = 1;
  for (const { name, lines } of statements(text)) {
    if (name === undefined && !/^\s*(#.*)?\r?$/.test(lines)) found.push(line);
    line += lines.split('\n').length;
  }
  return found;
}

/**
 * What a text sets. Node would take a line that is no setting for a part of the next name, and likewise the mark that
 * editors on Windows put before the first one.
 */
export function settingsIn(text: string): NodeJS.Dict<string> {
  const settings = statements(text).filter(({ name }) => name !== undefined);
  return parseEnv(settings.map(({ lines }) => lines.replace(/^\uFEFF/, '')).join('\n'));
}

/** What Node reads of its environment when it starts. https://nodejs.org/api/cli.html#environment-variables_1 */
const READ_BY_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA'];

/** The names of settings that come too late in a file, unless the environment has them as well. */
export const tooLateIn = (settings: NodeJS.Dict<string>, env: NodeJS.Dict<string>): string[] =>
  READ_BY_NODE.filter((name) => settings[name] && !env[name]);
