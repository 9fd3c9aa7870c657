import { UserError } from '../../errors.ts';
import { runProgram } from '../../program.ts';
import { runDemo } from './demo.ts';

/** How long the whole demo may take. */
const PATIENCE_MS = 5 * 60_000;

/** `npm run demo`: one picture, and nothing left behind, also where it is interrupted. */
await runProgram(async () => {
  const ending = new AbortController();
  const end = (why: string) => () => ending.abort(new UserError(why));
  process.once('SIGINT', end('Stopped.')).once('SIGTERM', end('Stopped.'));
  setTimeout(end('It took longer than five minutes.'), PATIENCE_MS).unref();
  await runDemo({
    args: process.argv.slice(2),
    print: (line) => void process.stdout.write(`${line}\n`),
    signal: ending.signal,
  });
});
