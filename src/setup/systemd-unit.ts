import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { npmScript } from '@darkroom/process';

/** The top of the code: `dist` lies in it. */
const ROOT = new URL('../../../', import.meta.url);

/** The unit of docs/operations, for this code, this folder and this user. */
export async function unitHere(): Promise<string> {
  const unit = await readFile(new URL('docs/operations/darkroom.service', ROOT), 'utf8');
  const home = process.cwd();
  // Where the operator types `npm run`, the bot names commands likewise.
  const script = npmScript();
  const environment = [`DARKROOM_HOME=${home}`, 'NODE_ENV=production'];
  if (script !== undefined) environment.push(`npm_lifecycle_event=${script}`);
  const program = [process.execPath, fileURLToPath(new URL('dist/bundle/darkroom.js', ROOT))];
  return (
    unit
      .replace(/^# The bot under systemd.*\n(#.*\n)*/, '# Made by darkroom setup.\n')
      .replace(/^StateDirectory(Mode)?=.*\n/gm, '')
      .replace(/^(Documentation=).*$/m, `$1${inUnit(new URL('docs/operations.md', ROOT).href)}`)
      .replace(/^(User=).*$/m, `$1${userInfo().username}`)
      .replace(/^(Environment=).*$/m, (_, name) => `${name}${environment.map(inUnit).join(' ')}`)
      // In a command a dollar sign would begin a variable.
      .replace(
        /^(ExecStart=).*$/m,
        (_, name) => `${name}${program.map((path) => inUnit(path.replaceAll('$', '$$$$'))).join(' ')} start`,
      )
      .replace(/^ProtectHome=.*$/m, () => `ProtectHome=read-only\nReadWritePaths=${inUnit(home)}`)
  );
}

/** `text` as one word of a unit; a percent sign would begin a specifier. */
function inUnit(text: string): string {
  const escaped = text.replaceAll('%', '%%').replace(/["\\]/g, '\\$&');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
