import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Libraries whose main entry is not what Darkroom imports. */
const ENTRIES: Readonly<Record<string, string>> = {
  'discord-api-spec': 'discord-api-spec/zod',
  'discord-api-types': 'discord-api-types/v10',
};

/** The project, as seen from `dist/bench`. */
const ROOT = join(import.meta.dirname, '..', '..');

/** Imports the runtime dependencies of a `package.json`, except for the packages of this repository. */
async function importDependencies(manifest: string): Promise<void> {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@darkroom/') || name === 'local-discord') continue;
    await import(ENTRIES[name] ?? name);
  }
}

/** The baseline of `start`: the libraries that Darkroom imports, and nothing else. */
await importDependencies(join(ROOT, 'package.json'));
for (const name of readdirSync(join(ROOT, 'packages'))) {
  if (name !== 'testing') await importDependencies(join(ROOT, 'packages', name, 'package.json'));
}
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
