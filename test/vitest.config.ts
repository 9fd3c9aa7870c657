import { defineConfig } from 'vitest/config';
import { WAIT_TIMEOUT_MS } from '../packages/testing/src/wait.ts';

/** Packages are tested from their sources, without a build. */
const conditions = ['@darkroom/source'];

const APART = [
  // Sends files by discord.js's own REST, which breaks where another undici was loaded before its own.
  'packages/local-discord/test/**/*.test.ts',
  // Has the tests of other files run once more, which only a file does that is not loaded yet.
  'packages/image-service/test/postgres.test.ts',
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 2 * WAIT_TIMEOUT_MS,
    hookTimeout: 2 * WAIT_TIMEOUT_MS,
    teardownTimeout: WAIT_TIMEOUT_MS,
    expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
    // Half of the time of these tests is waiting: more than the two cores that there are at least.
    maxWorkers: 3,
    sequence: { shuffle: { tests: true, files: true } },
    projects: [
      {
        extends: true,
        test: {
          name: 'darkroom',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: APART,
          // Every test builds its own world: importing everything anew for each file took a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
  },
});
