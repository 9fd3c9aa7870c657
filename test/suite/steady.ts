import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { wholeNumber } from '@darkroom/process/program';
import { MINUTE_MS } from '@darkroom/time';
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { failuresIn } from './failures.ts';
import type { Noise } from './noise.ts';

const count = wholeNumber(1, 2 ** 32);
const print = (line: string) => process.stdout.write(`${line}\n`);

await new Command('npm run test:steady --')
  .description(
    'Runs the tests again and again, each time in another order, beside threads that keep every core busy and one that ' +
      'writes and syncs, and lists what failed how often, with the seeds of those runs.',
  )
  .argument('[files...]', 'parts of the paths of files; every file unless given')
  .option('--runs <number>', 'how often', count, 10)
  .option('--minutes <number>', 'after so many no other run begins', count, 240)
  .option('--seed <number>', 'of the first run, each other has the next; a random one unless given', count)
  .option('--quiet', 'with nothing beside the tests', false)
  .action(
    async (files: string[], options: { runs: number; minutes: number; seed?: number; quiet: boolean }) => {
      const { runs, minutes, seed: first = Math.floor(Math.random() * 2 ** 31), quiet } = options;
      const until = Date.now() + minutes * MINUTE_MS;
      const stopNoise = quiet ? () => undefined : startNoise();
      /** The seeds of the runs in which a test failed. */
      const failed = new Map<string, number[]>();
      let run = 0;
      for (; run < runs && Date.now() < until; run += 1) {
        const seed = first + run;
        const { failures, ...counted } = await runOnce(files, seed);
        for (const failure of failures) failed.set(failure, [...(failed.get(failure) ?? []), seed]);
        print(
          `run ${run + 1} of ${runs}, seed ${seed}: ${counted.passed} passed, ${failures.length} failed in ${counted.seconds} s`,
        );
        for (const failure of failures) print(`  ${failure}`);
      }
      stopNoise();
      print(failed.size === 0 ? `nothing failed in ${run} runs` : `what failed in ${run} runs:`);
      const oftenFirst = [...failed].sort(([, one], [, other]) => other.length - one.length);
      for (const [failure, seeds] of oftenFirst)
        print(`  ${seeds.length} of ${run}  ${failure}  (seed ${seeds.join(', ')})`);
      process.exit(failed.size === 0 ? 0 : 1);
    },
  )
  .parseAsync();

/** Runs the files once; a failure is a file and the name of a test. */
async function runOnce(files: readonly string[], seed: number) {
  const startedAt = Date.now();
  const vitest = await startVitest('test', [...files], {
    config: 'test/vitest.config.ts',
    watch: false,
    sequence: { seed },
    reporters: [{}],
  });
  const modules = vitest.state.getTestModules();
  const errors = vitest.state.getUnhandledErrors().map((error) => `outside of any test: ${String(error)}`);
  await vitest.close();
  return {
    passed: modules.flatMap(({ children }) => [...children.allTests('passed')]).length,
    failures: [
      ...failuresIn(modules).map(({ file, project, name }) =>
        [`[${project}] ${file}`, name ?? []].flat().join(' > '),
      ),
      ...errors,
    ],
    seconds: Math.round((Date.now() - startedAt) / 1_000),
  };
}

/** Returns how to end it. */
function startNoise(): () => void {
  const kinds: Noise[] = ['writes and syncs', ...Array<Noise>(availableParallelism()).fill('computes')];
  const threads = kinds.map(
    (kind) => new Worker(new URL('./noise.js', import.meta.url), { workerData: kind }),
  );
  return () => {
    for (const thread of threads) void thread.terminate();
  };
}
