import { existsSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { chromiumPath } from '../../packages/testing/src/chromium-path.ts';
import { pgbouncerPath } from '../../packages/testing/src/pgbouncer-path.ts';
import { failuresIn, isSkipped } from './failures.ts';

/** How many files are done from one line of progress to the next. */
const STEP = 20;

/** What some tests need, and not every machine has. */
const NEEDS = [
  { isThere: chromiumPath !== undefined, runs: 'Chromium, or CHROMIUM_PATH, runs those of the chat page' },
  {
    isThere: process.env.TEST_POSTGRES_URL !== undefined,
    runs: 'TEST_POSTGRES_URL runs those of bot and service on PostgreSQL',
  },
  {
    isThere: pgbouncerPath !== undefined,
    runs: 'PgBouncer beside TEST_POSTGRES_URL runs those behind a pooler',
  },
  { isThere: existsSync('/usr/bin/systemd-analyze'), runs: 'systemd runs the one of its unit' },
  { isThere: existsSync('/usr/bin/promtool'), runs: 'promtool runs the one of the alerts' },
  {
    isThere: process.env.COMFYUI_TEST_FOLDER !== undefined,
    runs: 'COMFYUI_TEST_FOLDER runs those with a real ComfyUI',
  },
  {
    isThere: process.env.SDCPP_TEST_SERVER !== undefined,
    runs: 'SDCPP_TEST_SERVER runs those with a real stable-diffusion.cpp',
  },
];

/** Beside Vitest's own: how far it is, at the end what was not run and why, and how to run what failed once more. */
export function strangerReporter(write = (text: string): unknown => process.stdout.write(text)): Reporter {
  let vitest: Vitest;
  let files = 0;
  let done = 0;

  return {
    onInit(context) {
      vitest = context;
    },
    onTestRunStart(specifications) {
      files = specifications.length;
      done = 0;
    },
    onTestModuleEnd() {
      done += 1;
      // A terminal is shown more than that.
      if (!process.stdout.isTTY && done % STEP === 0) write(`${done} of ${files} files are done\n`);
    },
    onTestRunEnd(modules) {
      const { seed } = vitest.config.sequence;
      const skipped = skippedIn(modules);
      if (skipped.length > 0) write(`${skippedLine(skipped)}\n`);
      const failures = failuresIn(modules);
      if (failures.length === 0) return;
      write('\nTo run what failed once more, in the same order:\n');
      const commands = failures.map(
        ({ file, project }) =>
          `  npx vitest run --config test/vitest.config.ts --project '${project}' --sequence.seed ${seed} ${file}\n`,
      );
      write([...new Set(commands)].join(''));
      write('Whether it fails again and again, beside a busy machine: npm run test:steady -- FILE\n\n');
    },
  };
}

const skippedIn = (modules: readonly TestModule[]): TestCase[] =>
  modules.flatMap(({ children }) => [...children.allTests()].filter(isSkipped));

function skippedLine(skipped: readonly TestCase[]): string {
  const notes = skipped.flatMap((test) => {
    const result = test.result();
    return result.state === 'skipped' && result.note ? [result.note] : [];
  });
  const missing = NEEDS.filter(({ isThere }) => !isThere).map(({ runs }) => runs);
  return [`Tests that were skipped: ${skipped.length}`, ...missing, ...new Set(notes)].join('; ');
}
