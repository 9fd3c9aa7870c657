import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/**
 * Of the renames of this process until the test ends, so many fail first with `code`, as on Windows while a virus
 * scanner looks at the file.
 */
export function failRenames(times: number, code: string): void {
  const { rename } = fs.promises;
  const set = (now: typeof rename) => {
    fs.promises.rename = now;
    syncBuiltinESMExports();
  };
  let left = times;
  set((...args) => {
    left -= 1;
    return left < 0 ? rename(...args) : Promise.reject(Object.assign(new Error(`${code}: in use`), { code }));
  });
  onTestFinished(() => set(rename));
}
