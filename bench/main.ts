import { cpus } from 'node:os';
import { Argument, Command } from 'commander';
import { firstAnswers } from './burst.ts';
import { crowdedChannel } from './channel.ts';
import { chatLatency } from './chat.ts';
import { type Line, resultOf } from './line.ts';
import { tableOf } from './report.ts';
import { serviceThroughput } from './service.ts';
import { sketchTime } from './sketch.ts';
import { startTime } from './start.ts';

/** A whole run takes at most 12 minutes on two cores, so each of these has its share. */
const MEASUREMENTS: Readonly<Record<string, () => Promise<readonly Line[]>>> = {
  start: startTime,
  burst: firstAnswers,
  channel: crowdedChannel,
  chat: chatLatency,
  service: serviceThroughput,
  sketch: sketchTime,
};

const print = (line: string) => process.stdout.write(`${line}\n`);
const toNotice = (line: string) => process.stderr.write(`${line}\n`);

/** Prints what was measured. A missed goal is printed and is no failure; a measurement that throws is one. */
async function bench(names: readonly string[], { json }: { json: boolean }): Promise<boolean> {
  const startedAt = performance.now();
  const measurements = [];
  let complete = true;
  for (const name of names) {
    (json ? toNotice : print)(name);
    try {
      const results = ((await MEASUREMENTS[name]?.()) ?? []).map(resultOf);
      measurements.push({ name, results });
      if (!json) print(tableOf(results));
    } catch (error) {
      complete = false;
      toNotice(`  could not be measured: ${error instanceof Error ? error.stack : error}`);
    }
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  if (json) print(JSON.stringify({ ...machine, seconds, measurements }, undefined, 2));
  else print(`${seconds} s on ${machine.cores} cores of ${machine.cpu}, Node ${machine.node}`);
  return complete;
}

const names = Object.keys(MEASUREMENTS);
await new Command('npm run bench --')
  .description(
    'Measures Darkroom, each figure beside the least that could do the same work, in one run: the median, and in brackets ' +
      'between which values the runs lie. A missed goal is printed, and is no failure.',
  )
  .addArgument(new Argument('[name...]', 'what to measure; everything unless given').choices(names))
  .option('--json', 'prints JSON, and nothing else, on standard output', false)
  .action(async (wanted: readonly string[], options: { json: boolean }) => {
    const complete = await bench(wanted.length > 0 ? wanted : names, options);
    // What a measurement left open keeps nobody waiting.
    process.exit(complete ? 0 : 1);
  })
  .parseAsync();
