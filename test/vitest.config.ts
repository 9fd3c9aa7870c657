import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SHORT_RUN } from '../packages/testing/src/short-run.ts';
import { WAIT_TIMEOUT_MS } from '../packages/testing/src/wait.ts';
import { ProjectOrder } from './suite/project-order.ts';
import { strangerReporter } from './suite/stranger-reporter.ts';
import { temporaryFolder } from './suite/temporary-folder.ts';

/** Packages are tested from their sources, without a build. */
const conditions = ['@darkroom/source'];

const SERVICE = 'packages/image-service/test';

/** What has to hold on either database; the other is SQLite. */
const ON_POSTGRES = [
  'allowances.test.ts',
  'balance.test.ts',
  'cancel.test.ts',
  'credentials.test.ts',
  'database/{database-clock,migrate}.test.ts',
  'dry-run.test.ts',
  'engines/hosted/lost-lease.test.ts',
  'expenses.test.ts',
  'failed-graphs.test.ts',
  'files/{outage,places,proof}.test.ts',
  'forecast.test.ts',
  'housekeeping.test.ts',
  'idempotency.test.ts',
  'keys.test.ts',
  'killed.test.ts',
  'ledger.test.ts',
  'limits.test.ts',
  'openapi.property.test.ts',
  'openapi.test.ts',
  'operation{-refusals,s}.test.ts',
  'operator/{account-deletion,command-line,grants,keys,ledger,tasks,vault,webhooks}.test.ts',
  'progress.test.ts',
  'refusals.test.ts',
  'restart.test.ts',
  'status.test.ts',
  'submission.test.ts',
  'submissions-at-once.test.ts',
  'task-list.test.ts',
  'tasks/{queue,queue-model,queue-turns.property}.test.ts',
  'uploads.test.ts',
  'usage.test.ts',
  'wait.test.ts',
  'webhooks/webhooks.test.ts',
].map((file) => `${SERVICE}/${file}`);

/** Sends files by discord.js's own REST, which breaks where another undici was loaded before its own. */
const LOCAL_DISCORD = 'packages/local-discord/test/**/*.test.ts';

/**
 * The first stands global timers still, and with them whatever else of its process has asked for one. The others weigh
 * the memory of their process, where what another file left behind may grow and is collected each time, too.
 */
const IN_A_PROCESS_OF_ITS_OWN = [
  'test/jobs/service-calls/rate-limiter.test.ts',
  'packages/image-api/test/client/download.test.ts',
  'packages/image-service/test/hostile-callers.test.ts',
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // They end a hang: whatever a test waits for has a limit of its own, and says what did not come.
    testTimeout: 5 * WAIT_TIMEOUT_MS,
    hookTimeout: 5 * WAIT_TIMEOUT_MS,
    teardownTimeout: WAIT_TIMEOUT_MS,
    // The client of buckets warns of Node 20 once in every process, which whoever runs one is to read.
    // Commands are named as on a server, however the tests were started.
    env: {
      TMPDIR: temporaryFolder(),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      npm_lifecycle_event: '',
    },
    expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
    // These tests wait for two thirds of their time: four more than there are cores, of which there are two at least,
    // where each has a gigabyte. VITEST_MAX_WORKERS sets another number.
    maxWorkers: Math.max(4, Math.min(availableParallelism() + 4, Math.floor(totalmem() / 2 ** 30))),
    reporters: ['default', strangerReporter()],
    setupFiles: ['test/suite/short-counterexample.ts', 'test/suite/end-with-run.ts'],
    sequence: { shuffle: { tests: true, files: false }, sequencer: ProjectOrder },
    // Every test builds its own world: importing everything anew for each file took a third of the time.
    isolate: false,
    // Most code runs a few times only, and is compiled simply when it first runs instead of being interpreted: an eighth
    // less to do. Each worker has a gigabyte, of which the last size counts.
    execArgv: ['--always-sparkplug', ...SHORT_RUN, '--initial-old-space-size=600'],
    // It imports a package of ours, of which there are only sources.
    server: { deps: { inline: ['@keyv/sqlite'] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'darkroom',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [LOCAL_DISCORD, ...IN_A_PROCESS_OF_ITS_OWN],
        },
      },
      {
        extends: true,
        test: { name: 'in a process of its own', include: IN_A_PROCESS_OF_ITS_OWN, isolate: true },
      },
      { extends: true, test: { name: 'local-discord', include: [LOCAL_DISCORD] } },
      ...(process.env.TEST_POSTGRES_URL
        ? [
            {
              extends: true as const,
              test: {
                name: 'on PostgreSQL',
                include: ON_POSTGRES,
                globalSetup: `${SERVICE}/support/postgres-database.ts`,
                setupFiles: `${SERVICE}/support/on-postgres.ts`,
              },
            },
          ]
        : []),
    ],
  },
});
