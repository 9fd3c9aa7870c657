import fc from 'fast-check';
import { expect, test } from 'vitest';

test('a property that fails with a long counterexample says its seed and path, and not all of it', async () => {
  const long = fc.constant('x'.repeat(300_000));
  const property = fc.asyncProperty(long, async () => expect(1).toBe(2));
  const failed: unknown = await fc.assert(property, { seed: 7 }).catch((error: unknown) => error);
  const { message, cause } = failed instanceof Error ? failed : new Error('nothing failed');
  expect(message).toContain('seed: 7, path: "0"');
  expect(message.length).toBeLessThan(5_000);
  expect(`${cause}`).toContain('expected 1 to be 2');
});
