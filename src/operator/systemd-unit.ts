import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The top of the code: `dist` lies in it. */
const ROOT = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../../../', import.meta.url);

/** The unit that docs/operations.md has put into place. */
export const UNIT_OF_DOCS = fileURLToPath(new URL('docs/operations/darkroom.service', ROOT));

const MADE_BY_SETUP = '# Made by darkroom setup.\n';

interface UnitOwner {
  /** The folder of settings and data. */
  home: string;
  user: string;
  /** Where the operator types `npm run`, the bot names commands likewise. */
  script: string | undefined;
}

/** The unit of docs/operations, for this code. */
export async function unitOf({ home, user, script }: UnitOwner): Promise<string> {
  const unit = await readFile(UNIT_OF_DOCS, 'utf8');
  const environment = [`DARKROOM_HOME=${home}`, 'NODE_ENV=production'];
  if (script !== undefined) environment.push(`npm_lifecycle_event=${script}`);
  const program = [process.execPath, fileURLToPath(new URL('dist/bundle/darkroom.js', ROOT))];
  return (
    unit
      .replace(/^# The bot under systemd.*\n(#.*\n)*/, MADE_BY_SETUP)
      .replace(/^StateDirectory(Mode)?=.*\n/gm, '')
      .replace(/^(Documentation=).*$/m, `$1${inUnit(new URL('docs/operations.md', ROOT).href)}`)
      .replace(/^(User=).*$/m, (_, name) => `${name}${user}`)
      .replace(/^(Environment=).*$/m, (_, name) => `${name}${environment.map(inUnit).join(' ')}`)
      // In a command a dollar sign would begin a variable.
      .replace(
        /^(ExecStart=).*$/m,
        (_, name) => `${name}${program.map((path) => inUnit(path.replaceAll('$', '$$$$'))).join(' ')} start`,
      )
      .replace(/^ProtectHome=.*$/m, () => `ProtectHome=read-only\nReadWritePaths=${inUnit(home)}`)
  );
}

/** What `unitOf` was given for a unit that set-up has made; undefined for another one. */
export function ownerOf(unit: string, home: string): UnitOwner | undefined {
  if (!unit.startsWith(MADE_BY_SETUP)) return undefined;
  const [, user = ''] = /^User=(.*)$/m.exec(unit) ?? [];
  return { home, user, script: environmentOf(unit).get('npm_lifecycle_event') };
}

/** What a unit sets in the environment, as systemd reads it: words on one line or several, in quotes or without. */
export function environmentOf(unit: string): ReadonlyMap<string, string> {
  const lines = unit.replaceAll('\\\n', ' ').matchAll(/^\s*Environment\s*=(.*)$/gm);
  const words = [...lines].flatMap(([, line = '']) => line.match(WORDS) ?? []);
  return new Map(
    words.map((word) => {
      const [name = '', ...value] = outOfUnit(word).split('=');
      return [name, value.join('=')];
    }),
  );
}

const WORDS = /("(\\.|[^"\\])*"|'(\\.|[^'\\])*'|\\.|[^\s"'\\])+/g;

/** The text of one word of a unit. */
const outOfUnit = (word: string): string =>
  word
    .replace(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/g, '$1$2')
    .replace(/\\(.)/g, '$1')
    .replaceAll('%%', '%');

/** `text` as one word of a unit; a percent sign would begin a specifier. */
function inUnit(text: string): string {
  const escaped = text.replaceAll('%', '%%').replace(/["\\]/g, '\\$&');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
