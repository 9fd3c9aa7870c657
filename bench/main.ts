import { cpus } from 'node:os';
import { Argument, Command } from 'commander';
import { everyAnswer } from './answers.ts';
import { answersBesideUploads } from './answers-beside-uploads.ts';
import { firstAnswers } from './burst.ts';
import { crowdedChannel } from './channel.ts';
import { chatLatency } from './chat.ts';
import { hostedPictures } from './hosted.ts';
import { type Line, resultOf } from './line.ts';
import { polling } from './polling.ts';
import { profileParts } from './profile.ts';
import { type Report, tableOf } from './report.ts';
import { serviceThroughput } from './service.ts';
import { sketchTime } from './sketch.ts';
import { soak } from './soak.ts';
import { startTime } from './start.ts';
import { uploads } from './upload.ts';
import { writeFigures } from './write-figures.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const toNotice = (line: string) => process.stderr.write(`${line}\n`);

/** A whole run takes at most 12 minutes on two cores, so each of these has its share. */
const MEASUREMENTS: Readonly<Record<string, () => Promise<readonly Line[]>>> = {
  start: startTime,
  burst: async () => [...(await firstAnswers()), ...(await answersBesideUploads())],
  polling,
  channel: crowdedChannel,
  chat: async () => [...(await chatLatency()), ...(await everyAnswer({ notice: toNotice }))],
  service: () => serviceThroughput({ postgresUrl: process.env.TEST_POSTGRES_URL, notice: toNotice }),
  upload: uploads,
  sketch: sketchTime,
  hosted: hostedPictures,
};

/** Each has an option of its own. */
const APART: typeof MEASUREMENTS = { soak, profile: profileParts };

/** Prints what was measured. A missed goal is printed and is no failure; a measurement that throws is one. */
async function bench(
  names: readonly string[],
  { json, write }: { json: boolean; write: boolean },
): Promise<boolean> {
  const startedAt = performance.now();
  const measurements: Report['measurements'] = {};
  let complete = true;
  for (const name of names) {
    (json ? toNotice : print)(name);
    try {
      const results = ((await { ...MEASUREMENTS, ...APART }[name]?.()) ?? []).map(resultOf);
      measurements[name] = results;
      if (!json) print(tableOf(results));
    } catch (error) {
      complete = false;
      toNotice(`  could not be measured: ${error instanceof Error ? error.stack : error}`);
    }
  }
  const [first, ...others] = cpus();
  const report: Report = {
    node: process.version,
    cpu: first?.model ?? 'unknown',
    cores: 1 + others.length,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    measurements,
  };
  if (json) print(JSON.stringify(report, undefined, 2));
  else print(`${report.seconds} s on ${report.cores} cores of ${report.cpu}, Node ${report.node}`);
  if (write) await writeFigures(report);
  return complete;
}

interface Options {
  json: boolean;
  soak: boolean;
  profile: boolean;
  write: boolean;
}

const names = Object.keys(MEASUREMENTS);
await new Command('npm run bench --')
  .description(
    'Measures Darkroom, each figure beside the least that could do the same work, in one run: the median, and in brackets ' +
      'between which values the runs lie. A missed goal is printed, and is no failure.',
  )
  .addArgument(new Argument('[name...]', 'what to measure; everything unless given').choices(names))
  .option('--json', 'prints JSON, and nothing else, on standard output', false)
  .option('--soak', 'runs 50,000 jobs and prints how memory grows; up to half an hour', false)
  .option('--profile', 'prints where the time goes, by folder and library', false)
  .option('--write', 'puts the figures into docs/bench.json and the tables of the documentation', false)
  .action(async (wanted: readonly string[], { soak, profile, ...options }: Options) => {
    const chosen = [...wanted, ...(soak ? ['soak'] : []), ...(profile ? ['profile'] : [])];
    const complete = await bench(chosen.length > 0 ? chosen : names, options);
    // What a measurement left open keeps nobody waiting.
    process.exit(complete ? 0 : 1);
  })
  .parseAsync();
