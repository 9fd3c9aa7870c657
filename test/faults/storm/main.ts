import { Command, InvalidArgumentError } from 'commander';
import { runStorm } from './storm.ts';

const wholeNumber = (text: string): number => {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number');
};
const say = (line: string) => process.stdout.write(`${line}\n`);

await new Command('npm run test:faults --')
  .description('Kills the bot under load at random moments, and looks whether anything was lost or doubled.')
  .option('--seed <number>', 'of an earlier storm, to replay it; a fresh one unless given', wholeNumber)
  .option('--kills <number>', 'how often', wholeNumber, 200)
  .action(async ({ seed = Math.floor(Math.random() * 2 ** 31), kills }: { seed?: number; kills: number }) => {
    say(
      `storm ${seed}: ${kills} kills; it is replayed by: npm run test:faults -- --seed ${seed} --kills ${kills}`,
    );
    const { violations, ...left } = await runStorm({ seed, kills, report: say });
    say(JSON.stringify(left, undefined, 2));
    for (const violation of violations) say(`  ${violation}`);
    say(
      violations.length === 0
        ? 'nothing was lost, paid twice or posted twice'
        : `${violations.length} violations`,
    );
    process.exitCode = violations.length === 0 ? 0 : 1;
  })
  .parseAsync();
