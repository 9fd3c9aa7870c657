import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Libraries whose main entry is not what Darkroom imports. */
const ENTRIES: Readonly<Record<string, string>> = {
  'discord-api-spec': 'discord-api-spec/zod',
  'discord-api-types': 'discord-api-types/v10',
};

/** Files to read and types, no code; and packages of this repository. */
const NOT_IMPORTED = ['@expo-google-fonts/', '@types/', '@darkroom/', 'local-discord'];

/** The project, as seen from `dist/bench`. */
const ROOT = join(import.meta.dirname, '..', '..');

/** The baseline of `start`: imports the libraries that these folders' `package.json` name, and idles. */
for (const folder of process.argv.slice(2)) {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    if (!NOT_IMPORTED.some((start) => name.startsWith(start))) await import(ENTRIES[name] ?? name);
  }
}
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
