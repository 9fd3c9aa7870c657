import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Every file below a folder, as text that any secret in it would show up in. What is renamed or removed meanwhile is left out. */
export async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = await Promise.all(
    files.map(({ parentPath, name }) =>
      readFile(join(parentPath, name), 'latin1').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      }),
    ),
  );
  return read.join('\n');
}

/** Fails where one of the secrets stands in clear in one of the places, without showing it. */
export function expectNone(secrets: Iterable<string>, places: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(places)) {
    const found = [...secrets].filter((secret) => text.includes(secret));
    expect(found.length, `secrets in clear in the ${place}`).toBe(0);
  }
}

/** How secrets look, whosever they are: keys, login tokens, and interaction tokens, which are base64 of `interaction:…`. */
const SHAPES = [/sk-[0-9a-f]{48}/i, /lt-[0-9a-f]{48}/i, /aW50ZXJhY3Rpb246[\w-]{40,}/];

/** Fails where anything that looks like a secret stands in one of the places, without showing it. */
export function expectNoneLike(places: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(places)) {
    const shapes = SHAPES.filter((shape) => shape.test(text)).map(String);
    expect(shapes, `what looks like a secret in the ${place}`).toEqual([]);
  }
}
