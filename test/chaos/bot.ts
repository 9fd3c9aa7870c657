import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import { runUntilSignal } from '@darkroom/process';
import { createVault, sqlitePath } from '@darkroom/storage';
import { createFastClock } from '@darkroom/time/testing';
import { commands } from '../../commands/index.ts';
import { createBot } from '../../src/app/bot.ts';
import { type Job, needsResume } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { createLog } from '../../src/log.ts';
import { openStore } from '../../src/storage/store.ts';
import { acquireStoreLock } from '../../src/storage/store-lock.ts';
import { isSqlite } from '../../src/storage/store-url.ts';
import type { BotConfig, FromBot, ToBot, Unfinished } from './protocol.ts';
import { CALLS_PER_SECOND, noteCalls } from './service-calls.ts';

/** The real bot, on a clock that the parent process advances. */
async function run({
  token,
  apiUrl,
  imageUrl,
  imageKey,
  limits,
  store: url,
  folder,
  secrets,
  log: logFile,
  calls,
  clock: time,
}: BotConfig) {
  const clock = createFastClock(time);
  const log = createLog({ level: 'debug', destination: createWriteStream(logFile, { flags: 'a' }) });
  const lock = isSqlite(url) ? await acquireStoreLock({ path: sqlitePath(url) }) : undefined;
  const store = await openStore({ url, log });
  const vault = createVault(secrets);
  noteCalls(new URL(imageUrl).origin, calls);
  const images = createImageClient({ baseUrl: imageUrl, clock, timeoutMs: 2_000 });
  const bot = await createBot({
    commands,
    discord: { token, apiUrl },
    storage: {
      store,
      vault,
      spoolFolder: join(folder, 'spool'),
      sharedBy: isSqlite(url) ? undefined : url,
      afterAnother: true,
    },
    service: { client: images, name: imageUrl, callsPerSecond: CALLS_PER_SECOND },
    operator: { key: imageKey, scope: { outside: true }, limits },
    clock,
    log,
  });
  const jobs = createJobStore({ store, vault });
  process.on('message', async (message: ToBot) => {
    if ('advance' in message) clock.advance(message.advance);
    else if ('ask' in message) send({ unfinished: (await jobs.unfinished()).map(summary) });
  });
  await runUntilSignal(async () => {
    await bot.start();
    send({ ready: true });
    return async () => {
      await bot.stop();
      await store.close();
      lock?.release();
    };
  });
}

const send = (message: FromBot) => process.send?.(message);

const summary = (job: Job): Unfinished => ({ memberId: job.member.id, continues: needsResume(job) });

// Started while an earlier bot still runs, so that loading the modules does not count.
process.on('disconnect', () => process.exit(1));
process.once('message', (message: ToBot) => {
  if (!('start' in message)) throw new Error('the first message must be `start`');
  run(message.start).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});
