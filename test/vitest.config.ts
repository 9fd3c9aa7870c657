import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './support/patience.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
    teardownTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    maxWorkers: 2,
    sequence: { shuffle: { tests: true, files: true } },
  },
});
