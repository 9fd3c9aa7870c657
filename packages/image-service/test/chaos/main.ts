import { wholeNumber } from '@darkroom/process/program';
import { Command } from 'commander';
import { runChaos } from './chaos-run.ts';

const count = wholeNumber(0, 2 ** 32);
const print = (line: string) => process.stdout.write(`${line}\n`);

await new Command('npm run test:chaos:service --')
  .description(
    'Runs two processes of the image service on one PostgreSQL (TEST_POSTGRES_URL) under load, kills, suspends and stops ' +
      'them, cuts them off from the database, lets their clocks leap and their disks be full, sets limits, gives credits and ' +
      'changes secrets; then checks that every task ' +
      'has ended once and was told, that every picture and key is there, and that every credit is accounted for.',
  )
  .option('--seed <number>', 'disrupts as an earlier run did; a random seed unless given', count)
  .option('--disruptions <number>', 'how often', count, 80)
  .action(
    async ({
      seed = Math.floor(Math.random() * 2 ** 31),
      disruptions,
    }: {
      seed?: number;
      disruptions: number;
    }) => {
      const postgresUrl = process.env.TEST_POSTGRES_URL;
      if (postgresUrl === undefined) throw new Error('TEST_POSTGRES_URL: missing');
      print(`again: npm run test:chaos:service -- --seed ${seed} --disruptions ${disruptions}`);
      const { violations, ...counts } = await runChaos({ seed, disruptions, postgresUrl, report: print });
      print(JSON.stringify(counts));
      for (const violation of violations) print(violation);
      print(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
      process.exit(violations.length === 0 ? 0 : 1);
    },
  )
  .parseAsync();
