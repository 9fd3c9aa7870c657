import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/** The contents of every file below a folder, as Latin-1. Files that are removed meanwhile are left out. */
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

/** Fails where one of the secrets is in one of the texts, without printing it. */
export function expectNoSecrets(secrets: Iterable<string>, texts: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(texts)) {
    const found = [...secrets].filter((secret) => text.includes(secret));
    expect(found.length, `secrets in clear in the ${place}`).toBe(0);
  }
}

/** Keys, login tokens, and interaction tokens, which are base64 of `interaction:…`. */
const PATTERNS = [/sk-[0-9a-f]{48}/i, /lt-[0-9a-f]{48}/i, /aW50ZXJhY3Rpb246[\w-]{40,}/];

/** Fails where anything that looks like a secret is in one of the texts, without printing it. */
export function expectNoSecretPatterns(texts: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(texts)) {
    const found = PATTERNS.filter((pattern) => pattern.test(text)).map(String);
    expect(found, `what looks like a secret in the ${place}`).toEqual([]);
  }
}
