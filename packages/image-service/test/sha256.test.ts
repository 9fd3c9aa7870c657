import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256Of } from '../src/sha256.ts';

const MIB = 1024 ** 2;

test.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB])(
  'the hash of %i bytes is that of all of them',
  async (length) => {
    const bytes = randomBytes(length);
    expect(await sha256Of(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  },
);

test('while a large picture is hashed, everybody else has a turn after every half MiB', async () => {
  let turns = 0;
  let hashed = false;
  const hashing = sha256Of(randomBytes(8 * MIB)).then(() => {
    hashed = true;
  });
  while (!hashed) {
    await turn();
    turns++;
  }
  await hashing;
  expect(turns).toBeGreaterThanOrEqual(15);
});
