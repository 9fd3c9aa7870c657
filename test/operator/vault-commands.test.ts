import { existsSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Confirm, OperatorError } from '@darkroom/process';
import { createVault, type VaultKeys } from '@darkroom/storage';
import { captureLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { runVaultCommand } from '../../src/operator/vault-commands.ts';
import { openStore } from '../../src/storage/store.ts';
import { acquireStoreLock } from '../../src/storage/store-lock.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { proveStore } from '../../src/storage/vault-proof.ts';
import { aJob } from '../support/job.ts';
import { postgresSchema } from '../support/postgres.ts';
import { createStoreWorld } from '../support/store.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);
const JOB = aJob({ secrets: { apiKey: `sk-${'2'.repeat(48)}`, interactionToken: 'a-token' } });
const MEMBER = { kind: 'member', id: '200000000000000001' } as const;

/**
 * A store with a linked key and a job that is under way, both sealed with `OLD`, and how a bot with other secrets
 * finds it.
 */
async function vaultWorld(url: StoreUrl) {
  async function open(...keys: VaultKeys) {
    const { log } = captureLog();
    const store = await openStore({ url, log });
    const vault = createVault(keys);
    onTestFinished(() => store.close().catch(() => undefined));
    return {
      credentials: createCredentials({ store, vault, clock: createFakeClock(), log, operatorKey: undefined }),
      jobs: createJobStore({ store, vault }),
      start: () => proveStore({ store, vault }),
      close: store.close,
    };
  }
  const { credentials, jobs, start, close } = await open(OLD);
  await start();
  await credentials.link(MEMBER, {
    apiKey: `sk-${'1'.repeat(48)}`,
    username: 'ada',
    visibleIn: [],
  });
  await jobs.create(JOB);
  await close();
  const run = (command: string, keys: string, confirm?: Confirm) =>
    runVaultCommand(command.split(' '), { STORE_URL: url, SECRET_KEY: keys }, confirm);
  return { open, run };
}

const everythingOf = async ({ open }: Awaited<ReturnType<typeof vaultWorld>>, key: string) => {
  const { credentials, jobs, start, close } = await open(key);
  await start();
  const read = { key: await credentials.open(MEMBER), job: await jobs.find(JOB.id) };
  await close();
  return read;
};

const rotates = async (url: StoreUrl) => {
  const world = await vaultWorld(url);
  expect(await world.run('check', OLD)).toContain(
    'everything opens: 1 linked key, 1 job, 1 proof of the secret.',
  );
  expect(await world.run('check', `${NEW},${OLD}`)).toContain(
    'darkroom vault rotate seals 1 linked key, 1 job',
  );
  expect(await world.run('rotate', `${NEW},${OLD}`)).toContain('1 linked key, 1 job, 1 proof');
  expect(await world.run('rotate', `${NEW},${OLD}`)).toContain('Nothing had to be sealed anew in ');
  expect(await world.run('check', NEW)).toContain('everything opens');
  expect(await everythingOf(world, NEW)).toMatchObject({
    key: { apiKey: `sk-${'1'.repeat(48)}` },
    job: { secrets: JOB.secrets },
  });
  await expect(world.run('check', OLD)).rejects.toThrow(`keys:member:${MEMBER.id}`);
};

test('everything that is sealed is sealed anew with a new secret, and the old one can go', async () => {
  const { url } = await createStoreWorld();
  await rotates(url);
});

test('a row that changes while it is sealed anew keeps what was written', async () => {
  const world = await createStoreWorld();
  const { run, open } = await vaultWorld(world.url);
  const bot = await open(NEW, OLD);
  await Promise.all([run('rotate', `${NEW},${OLD}`), bot.jobs.save({ ...JOB, state: 'developing' })]);
  expect(await bot.jobs.find(JOB.id)).toMatchObject({ state: 'developing', secrets: JOB.secrets });
});

test('where the secret is lost, what nobody can open is erased, and the store is taken into use again', async () => {
  const { url, path } = await createStoreWorld();
  const world = await vaultWorld(url);
  const { start, close } = await world.open(NEW);
  await expect(start()).rejects.toThrow('darkroom vault reset');
  await close();
  const lock = await acquireStoreLock({ path });
  await expect(world.run('reset', NEW)).rejects.toThrow('Another Darkroom is running');
  lock.release();
  expect(await world.run('reset --yes', NEW)).toContain('1 linked key, 1 job, 1 proof');
  expect(await everythingOf(world, NEW)).toEqual({
    key: undefined,
    job: expect.not.objectContaining({ secrets: expect.anything() }),
  });
});

test('nothing is erased before its operator has read what that is, and said yes', async () => {
  const { url } = await createStoreWorld();
  const world = await vaultWorld(url);
  await expect(world.run('reset', NEW)).rejects.toThrow('no terminal to confirm this on. Add --yes.');
  const asked: string[] = [];
  const declining = world.run('reset', NEW, async (question) => {
    asked.push(question);
    throw new OperatorError('That is something else. Nothing was changed.');
  });
  await expect(declining).rejects.toThrow('Nothing was changed.');
  expect(asked).toEqual([
    'This erases for good what does not open: 1 linked key, 1 job, 1 proof of the secret. Type erase to confirm: ',
  ]);
  expect(await everythingOf(world, OLD)).toMatchObject({ job: { secrets: JOB.secrets } });
  expect(await world.run('reset', OLD, async () => expect.unreachable())).toContain('nothing was erased');
});

test('where the secret is missing no other is made, until it is given up', async () => {
  const { url, path } = await createStoreWorld();
  const { run } = await vaultWorld(url);
  const file = join(dirname(path), 'secret.key');
  for (const command of ['check', 'rotate'])
    await expect(run(command, '')).rejects.toThrow(`${file} is missing, and SECRET_KEY is not set`);
  const declining = run('reset', '', async (question) => {
    expect(question).toContain(`${file} is missing. This makes a new one, and erases for good`);
    throw new OperatorError('That is something else. Nothing was changed.');
  });
  await expect(declining).rejects.toThrow('Nothing was changed.');
  expect(existsSync(file)).toBe(false);
  expect(await run('reset', '', async () => undefined)).toContain('1 linked key, 1 job, 1 proof');
  expect(await run('check', '')).toContain('everything opens: ');
});

test('a store that is found to be damaged is a sentence that says what mends it', async () => {
  const { url, path, sql } = await createStoreWorld();
  for (let nth = 0; nth < 20; nth += 1)
    await sql('INSERT INTO bot_rows (key, value) VALUES (?, ?)', `models:${nth}`, 'x'.repeat(1_000));
  const { run } = await vaultWorld(url);
  await sql('PRAGMA wal_checkpoint(TRUNCATE)');
  const [latest] = await sql(
    "SELECT pgoffset, pgsize FROM dbstat WHERE name = 'bot_rows' AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1",
  );
  const { pgoffset, pgsize } = z.object({ pgoffset: z.number(), pgsize: z.number() }).parse(latest);
  const file = await openFile(path, 'r+');
  await file.write(Buffer.alloc(pgsize, 'x'), 0, pgsize, pgoffset);
  await file.close();
  const checking = run('check', OLD);
  await expect(checking).rejects.toThrow(OperatorError);
  await expect(checking).rejects.toThrow(
    `The store ${path} cannot be opened: database disk image is malformed. Where STORE_URL is right, the file is damaged: move it out of the way`,
  );
});

test.each(['check', 'rotate', 'reset'])(
  '%s makes no store that is not there, nor its folder',
  async (command) => {
    const { folder } = await createStoreWorld();
    const mistyped = join(folder, 'mistyped');
    const missing = runVaultCommand([command], {
      STORE_URL: `sqlite://${join(mistyped, 'missing.sqlite')}`,
      SECRET_KEY: OLD,
    });
    await expect(missing).rejects.toThrow('There is no store /');
    expect(existsSync(mistyped)).toBe(false);
  },
);

describe.skipIf(!process.env.TEST_POSTGRES_URL)('with PostgreSQL (TEST_POSTGRES_URL)', () => {
  test('everything is sealed anew there as well', async () => {
    await rotates(await postgresSchema(process.env.TEST_POSTGRES_URL ?? ''));
  });
});
