import { readFileSync } from 'node:fs';

/** The JSON in `test/fixtures/<name>.json`: an example of the interface's own, or of our additions to it. */
export function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}
