// `darkroom demo`: one picture; leaves nothing else behind, also when it is interrupted.
import { OperatorError } from '@darkroom/process';
import { runDemo } from './demo.ts';

/** How long the whole demo may take, in milliseconds: volunteers take minutes. */
const TIMEOUT_MS = 15 * 60_000;

const abort = new AbortController();
const abortWith = (reason: string) => () => abort.abort(new OperatorError(reason));
process.once('SIGINT', abortWith('Stopped.')).once('SIGTERM', abortWith('Stopped.'));
setTimeout(abortWith('It took longer than a quarter of an hour.'), TIMEOUT_MS).unref();
await runDemo({
  args: process.argv.slice(2),
  settings: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  signal: abort.signal,
});
