import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { HOUR_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { checkLedger } from '../src/ledger/ledger-check.ts';
import { createServiceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';
import { webhookReceiver } from './support/webhook-receiver.ts';

/** How often a process is killed: five times, or 100 and more for a long run. */
const KILLS = Number(process.env.TEST_KILLS ?? 5);
const SUBMITTERS = 4;
/** Days since the epoch: in the year 2243. */
const LAST_DAY = 100_000;
const PROGRAM = fileURLToPath(new URL('../../../dist/test-bundle/killable-service.js', import.meta.url));

test(
  'whatever is killed, each accepted task ends once and is told, and every credit and file is accounted for',
  async () => {
    const storage = await testStorage();
    const folder = join(storage.folder, 'pictures');
    const setup = await createServiceWorld({ storage, credits: 1_000_000 });
    await setup.close();
    const receiver = await webhookReceiver();
    const db = await openDatabase(storage.databaseUrl);
    onTestFinished(() => db.destroy());
    const processes: { child: ChildProcess; url: string }[] = [];
    onTestFinished(() => {
      for (const { child } of processes) child.kill('SIGKILL');
    });

    async function begin(): Promise<void> {
      const child = spawn(process.execPath, [PROGRAM, storage.databaseUrl, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, WEBHOOK_ORIGINS: receiver.origin },
      });
      const [url] = await once(createInterface(child.stdout), 'line');
      processes.push({ child, url: String(url) });
    }
    async function killOne(): Promise<void> {
      const [victim] = processes.splice(randomInt(processes.length), 1);
      if (!victim) return;
      const exited = once(victim.child, 'exit');
      victim.child.kill('SIGKILL');
      await exited;
    }

    /** Submits until it is accepted, under one idempotency key, wherever a process listens. */
    async function submit(): Promise<string> {
      const idempotencyKey = randomUUID();
      for (;;) {
        const { url } = processes[randomInt(Math.max(1, processes.length))] ?? {};
        const answer = await fetch(`${url}/v1/index.php?endpoint=image_generation`, {
          method: 'POST',
          headers: {
            'x-api-key': setup.key,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          body: JSON.stringify({ prompt: idempotencyKey, width: 64, height: 64, webhook: receiver.url }),
        }).catch(() => undefined);
        const read = await answer?.text().catch(() => undefined);
        if (answer?.status === 200 && read) return JSON.parse(read).data.id;
        await delay(20);
      }
    }

    const accepted: string[] = [];
    let over = false;
    await begin();
    // On PostgreSQL two processes share the work.
    if (storage.databaseUrl.startsWith('postgres')) await begin();
    const submitters = Array.from({ length: SUBMITTERS }, async () => {
      while (!over) {
        accepted.push(await submit());
        await delay(randomInt(40));
      }
    });
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(randomInt(20, 500));
      await killOne();
      await begin();
    }
    // On a slow machine a process may be killed before it has accepted anything.
    await expect.poll(() => accepted.length, { timeout: WAIT_TIMEOUT_MS }).toBeGreaterThan(KILLS);
    over = true;
    await Promise.all(submitters);

    const unfinished = async () => {
      const { count } = await db
        .selectFrom('tasks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', 'in', ['pending', 'processing'])
        .executeTakeFirstOrThrow();
      return count;
    };
    await expect.poll(unfinished, { timeout: WAIT_TIMEOUT_MS + 100 * KILLS }).toBe(0);
    const told = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    await expect.poll(told, { timeout: WAIT_TIMEOUT_MS }).toBe(accepted.length);
    while (processes.length > 0) await killOne();

    const tasks = await db.selectFrom('tasks').select(['id', 'state', 'picture']).execute();
    expect(tasks.map(({ id }) => id).sort()).toEqual(accepted.sort());
    expect(await checkLedger(db)).toEqual([]);
    const [used] = await createLedger({ db, clock: systemClock }).usage({ from: 0, to: LAST_DAY });
    const completed = tasks.filter(({ state }) => state === 'completed').length;
    expect(used).toMatchObject({ completed, failed: tasks.length - completed, cost: 1_000 * completed });

    const rows = await db.selectFrom('files').select('name').where('removedAt', 'is', null).execute();
    const names = new Set(rows.map(({ name }) => name));
    const onDisk = (await readdir(folder)).map((name) => name.replace(/\.part$/, ''));
    expect(onDisk.filter((name) => !/^(proof|probe)-/.test(name) && !names.has(name))).toEqual([]);

    const later = await createServiceWorld({
      storage,
      clock: { ...systemClock, now: () => Date.now() + 2 * HOUR_MS },
    });
    await later.service.sweep();
    await later.close();
    const pictures = tasks.map(({ picture }) => picture).filter((picture) => picture !== null);
    const left = (await readdir(folder)).filter((name) => !/^(proof|probe)-/.test(name));
    expect(left.sort()).toEqual(pictures.sort());
  },
  5 * WAIT_TIMEOUT_MS + 3_000 * KILLS,
);
