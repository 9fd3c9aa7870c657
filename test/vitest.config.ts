import { defineConfig } from 'vitest/config';
import { WAIT_TIMEOUT_MS } from '../packages/testing/src/wait.ts';

/** Packages are tested from their sources, without a build. */
const conditions = ['@darkroom/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    testTimeout: 2 * WAIT_TIMEOUT_MS,
    hookTimeout: 2 * WAIT_TIMEOUT_MS,
    teardownTimeout: WAIT_TIMEOUT_MS,
    expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
    maxWorkers: 2,
    sequence: { shuffle: { tests: true, files: true } },
  },
});
