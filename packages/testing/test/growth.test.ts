import { growsTooFast } from '@darkroom/testing';
import { expect, test } from 'vitest';

function spin(steps: number): void {
  for (let step = 0; step < steps; step++) Math.sqrt(step);
}

test('work that grows with the size is no fault, and what grows with its square is one', () => {
  expect(growsTooFast((size) => spin(4_000 * size), 1_000)).toBe(false);
  expect(growsTooFast((size) => spin(size ** 2), 1_000)).toBe(true);
});
