import { createWriteStream } from 'node:fs';
import { commands } from '../../../commands/index.ts';
import { createBot } from '../../../src/bot/bot.ts';
import { createImageClient } from '../../../src/client/client.ts';
import { goesOn } from '../../../src/jobs/job.ts';
import { createJobStore } from '../../../src/jobs/job-store.ts';
import { takeLease } from '../../../src/lease.ts';
import { createLog } from '../../../src/log.ts';
import { runUntilSignal } from '../../../src/signals.ts';
import { openStore } from '../../../src/store.ts';
import { createVault } from '../../../src/vault.ts';
import { createHurriedClock } from '../../support/hurried-clock.ts';
import type { FromBot, StormBot, ToBot } from './protocol.ts';

/** The bot of a storm: a process of its own, on time that its parent makes pass, and whose parent kills it. */
async function main({
  token,
  apiUrl,
  imageUrl,
  imageKey,
  store: path,
  secret,
  log: logFile,
  clock: time,
}: StormBot) {
  const clock = createHurriedClock(time);
  const log = createLog({ level: 'debug', destination: createWriteStream(logFile, { flags: 'a' }) });
  const tell = (message: FromBot) => process.send?.(message);
  const lease = await takeLease({ path });
  const store = await openStore({ url: `sqlite://${path}`, log });
  const vault = createVault([secret]);
  const images = createImageClient({ baseUrl: imageUrl, clock, timeoutMs: 2_000 });
  const bot = await createBot({
    token,
    apiUrl,
    commands,
    store,
    vault,
    images,
    service: imageUrl,
    operatorKey: imageKey,
    callsPerSecond: 1_000,
    clock,
    log,
  });
  const jobs = createJobStore({ store, vault });
  process.on('message', async (message: ToBot) => {
    if ('leap' in message) clock.leap(message.leap);
    else
      tell({
        unfinished: (await jobs.unfinished()).map((job) =>
          job.state === 'waiting' && goesOn(job) ? 'unsure' : job.state,
        ),
      });
  });
  process.on('disconnect', () => process.exit(1));
  await runUntilSignal(async () => {
    await bot.start();
    tell({ ready: true });
    return async () => {
      await bot.stop();
      await store.close();
      lease.release();
    };
  });
}

main(JSON.parse(process.argv[2] ?? '')).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
