import { chatLatency } from './chat.ts';
import { serviceThroughput } from './service.ts';
import { sketchTime } from './sketch.ts';
import { startTime } from './start.ts';

/** `npm run bench`: how fast Darkroom starts, answers and draws. `npm run bench -- NAME` measures one of them. */
const MEASUREMENTS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  start: startTime,
  chat: chatLatency,
  service: serviceThroughput,
  sketch: sketchTime,
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(MEASUREMENTS)) {
  const measure = MEASUREMENTS[name];
  if (!measure) {
    process.stderr.write(`No measurement ${name}; there are ${Object.keys(MEASUREMENTS).join(', ')}.\n`);
    process.exit(1);
  }
  process.stdout.write(`${name}\n`);
  for (const line of await measure()) process.stdout.write(`  ${line}\n`);
}
process.exit(0);
