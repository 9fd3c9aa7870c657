import { createWriteStream } from 'node:fs';
import { commands } from '../../../commands/index.ts';
import { createBot } from '../../../src/bot/bot.ts';
import { createImageClient } from '../../../src/client/client.ts';
import { goesOn, type Job } from '../../../src/jobs/job.ts';
import { createJobStore } from '../../../src/jobs/job-store.ts';
import { takeLease } from '../../../src/lease.ts';
import { createLog } from '../../../src/log.ts';
import { runUntilSignal } from '../../../src/signals.ts';
import { openStore } from '../../../src/store.ts';
import { createVault } from '../../../src/vault.ts';
import { createHurriedClock } from '../../support/hurried-clock.ts';
import type { FromBot, StormBot, ToBot, Unfinished } from './protocol.ts';

/** The bot of a storm: a process of its own, on time that its parent makes pass, and whose parent kills it. */
async function live({
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
    else if ('ask' in message) tell({ unfinished: (await jobs.unfinished()).map(summary) });
  });
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

const tell = (message: FromBot) => process.send?.(message);

const summary = (job: Job): Unfinished => ({ memberId: job.member.id, goesOn: goesOn(job) });

// All is loaded, and waits for its time: what takes a process its first second is over before the one before it dies.
process.on('disconnect', () => process.exit(1));
process.once('message', (message: ToBot) => {
  if (!('begin' in message)) throw new Error('a life begins with its beginning');
  live(message.begin).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});
