import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, silentLog } from '@darkroom/process';
import { createVault } from '@darkroom/storage';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/database.ts';
import { openService } from '../../src/open-service.ts';
import { runCommand } from '../../src/operator/command-line.ts';
import { examineDatabase } from '../../src/operator/examine-database.ts';
import { proveDatabase } from '../../src/vault/database-proof.ts';
import { instantEngine } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

/** That of worlds and operators unless told. */
const FIRST = '5'.repeat(64);
const SECOND = '6'.repeat(64);

/** An operator whose commands have the secret that they begin with; `sealed` is what is printed of each kind. */
async function vaultWorld() {
  const { storage, env } = await operator();
  const run = async (secret: string, ...args: string[]) => {
    const { printed, exitCode } = await runCommand(['--json', ...args], { ...env, SECRET_KEY: secret });
    const rows: { sealed: string }[] = JSON.parse(printed);
    return { exitCode, kinds: rows.map(({ sealed, ...counts }) => [sealed, counts]) };
  };
  return { storage, env, run };
}

const secretOf = async (world: { call(path: string, init?: object): Promise<Response> }, key: string) => {
  const answer = await world.call('/api.php?action=get_webhook_secret', { headers: { 'x-api-key': key } });
  const { data }: { data: { webhook_secret: string } } = JSON.parse(await answer.text());
  return data.webhook_secret;
};

test('a process with another secret than its database does not start, nor does a command of the operator', async () => {
  const { storage, env, run } = await vaultWorld();
  await serviceWorld({ storage });
  const examined = (secret: string) => examineDatabase(loadServiceConfig({ ...env, SECRET_KEY: secret }));
  expect(await examined(FIRST)).toBe('ready');
  await expect(examined(SECOND)).rejects.toThrow('does not open with this secret');
  const other = serviceWorld({ storage, secretKeys: [SECOND] });
  await expect(other).rejects.toThrow(OperatorError);
  await expect(other).rejects.toThrow(
    /What is sealed in the database does not open with this secret\. Put back .* darkroom service vault reset erases/s,
  );
  await expect(run(SECOND, 'account', 'list')).rejects.toThrow('does not open with this secret');
  await serviceWorld({ storage, secretKeys: [SECOND, FIRST] });
});

test('of two processes with different secrets that start together on a new database, only one does', async () => {
  const { databaseUrl } = await testStorage();
  await (await openDatabase(databaseUrl)).destroy();
  const started = await Promise.allSettled(
    [FIRST, SECOND].map(async (secret) => {
      const db = await openDatabase(databaseUrl);
      onTestFinished(() => db.destroy());
      await proveDatabase(db, createVault([secret]));
    }),
  );
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a database whose key file is lost gets a new one only where the old one is given up', async () => {
  const { folder, databaseUrl } = await testStorage();
  if (!databaseUrl.startsWith('sqlite')) return;
  const env = { SERVICE_DATABASE_URL: databaseUrl };
  await runCommand(['account', 'add', 'mira', '--create'], env);
  const file = join(folder, 'secret.key');
  await rm(file);
  const starting = () => openService(loadServiceConfig(env), { log: silentLog() });
  const listing = () => runCommand(['account', 'list'], env);
  const checking = () => runCommand(['vault', 'check'], env);
  for (const begin of [starting, listing, checking, listing]) {
    await expect(begin()).rejects.toThrow(`${file} is missing, and SECRET_KEY is not set`);
    expect(existsSync(file)).toBe(false);
  }
  await expect(runCommand(['vault', 'reset'], env)).rejects.toThrow('Add --yes.');
  expect(existsSync(file)).toBe(false);
  await runCommand(['vault', 'reset', '--yes'], env);
  expect((await listing()).printed).toContain('mira');
});

test('after a rotation all that was sealed opens with the new secret alone: keys, secrets of webhooks, queued addresses', async () => {
  const { storage, run } = await vaultWorld();
  const receiver = await webhookReceiver();
  const options = { storage, webhookOrigins: [receiver.origin] };
  const waiting = await createServiceWorld({ ...options, limits: { slots: 0 } });
  const id = await waiting.submitted({ prompt: 'a fox', webhook: receiver.url });
  const former = await secretOf(waiting, waiting.key);
  await run(FIRST, 'webhook', 'secret', waiting.username, '--rotate');
  await waiting.close();

  expect(await run(FIRST, 'vault', 'check')).toEqual({
    exitCode: 0,
    kinds: [
      ['API keys', { current: 1, stale: 0, lost: 0 }],
      ['webhook secrets', { current: 1, stale: 0, lost: 0 }],
      ['former webhook secrets', { current: 1, stale: 0, lost: 0 }],
      ['webhook addresses', { current: 1, stale: 0, lost: 0 }],
      ['proof of the secret', { current: 1, stale: 0, lost: 0 }],
    ],
  });
  const both = `${SECOND},${FIRST}`;
  expect((await run(both, 'vault', 'check')).kinds).toContainEqual([
    'webhook addresses',
    { current: 0, stale: 1, lost: 0 },
  ]);
  // The proof is sealed anew by the first command with the new secret that needs it, and so may be missing here.
  expect((await run(both, 'vault', 'rotate')).kinds).toEqual(
    expect.arrayContaining([
      ['API keys', { 'sealed anew': 1 }],
      ['webhook secrets', { 'sealed anew': 1 }],
      ['former webhook secrets', { 'sealed anew': 1 }],
      ['webhook addresses', { 'sealed anew': 1 }],
    ]),
  );
  expect((await run(both, 'vault', 'rotate')).kinds).toEqual([]);
  expect(await run(FIRST, 'vault', 'check')).toMatchObject({ exitCode: 1 });

  const world = await serviceWorld({ ...options, credits: 0, secretKeys: [SECOND] });
  const { headers, body } = await receiver.next();
  expect(headers['webhook-id']).toBe(`msg_${id}`);
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
  for (const secret of [former, await secretOf(world, waiting.key)])
    expect(() => new Webhook(secret).verify(body, signed)).not.toThrow();
  const shown = await world.call(`/api.php?action=get_api_key&token=${waiting.loginToken}`, { headers: {} });
  expect(await shown.text()).toContain(waiting.key);
});

test('people are told what is found, and what to do about it', async () => {
  const { databaseUrl } = await testStorage();
  const run = async (secretKey: string, ...args: string[]) =>
    (
      await runCommand(['vault', ...args], { SERVICE_DATABASE_URL: databaseUrl, SECRET_KEY: secretKey })
    ).printed.trimEnd();
  const both = `${SECOND},${FIRST}`;
  await runCommand(['account', 'add', 'mira', '--create'], {
    SERVICE_DATABASE_URL: databaseUrl,
    SECRET_KEY: FIRST,
  });
  expect(await run(FIRST, 'check')).toMatch(/\n\nEverything opens, and is sealed with the first key/);
  expect(await run(FIRST, 'rotate')).toMatch(/^Nothing had to be sealed anew: /);
  expect(await run(FIRST, 'reset', '--yes')).toBe('Everything opens: nothing was erased.');
  expect(await run(both, 'check')).toContain('darkroom service vault rotate seals it anew.');
  expect(await run(SECOND, 'check')).toContain('darkroom service vault reset erases it.');
  expect(await run(both, 'rotate')).toContain('finds nothing stale, the other keys can go.');
});

test('a secret of webhooks that is changed while the rotation reads is not overwritten', async () => {
  const { storage, env, run } = await vaultWorld();
  const before = await createServiceWorld({ storage });
  await secretOf(before, before.key);
  await before.close();
  const world = await serviceWorld({ storage, secretKeys: [SECOND, FIRST], credits: 0 });
  const rotate = () =>
    world.call('/api.php?action=rotate_webhook_secret', { json: { token: before.loginToken }, headers: {} });
  const [answer] = await Promise.all([rotate(), run(`${SECOND},${FIRST}`, 'vault', 'rotate')]);
  const { data }: { data: { webhook_secret: string } } = JSON.parse(await answer.text());
  expect(await secretOf(world, before.key)).toBe(data.webhook_secret);
  expect(env.SECRET_KEY).toBe(FIRST);
});

test('where the secret is lost, what it sealed is given up: keys work on, webhooks get a new secret, waiting ones say why they end', async () => {
  const { storage, run } = await vaultWorld();
  const receiver = await webhookReceiver();
  const options = { storage, webhookOrigins: [receiver.origin] };
  const waiting = await createServiceWorld({ ...options, limits: { slots: 0 } });
  const id = await waiting.submitted({ prompt: 'a fox', webhook: receiver.url });
  const lost = await secretOf(waiting, waiting.key);
  await waiting.close();

  await expect(run(SECOND, 'vault', 'reset')).rejects.toThrow('Add --yes');
  expect((await run(FIRST, 'vault', 'reset', '--yes')).kinds).toEqual([]);
  expect((await run(SECOND, 'vault', 'reset', '--yes')).kinds).toEqual([
    ['API keys', { erased: 1 }],
    ['webhook secrets', { erased: 1 }],
    ['webhook addresses', { erased: 1 }],
    ['proof of the secret', { erased: 1 }],
  ]);
  const world = await serviceWorld({ ...options, engine: instantEngine(), credits: 0, secretKeys: [SECOND] });
  const { webhook } = await world.until(id, (task) => task.webhook?.state === 'disabled', waiting.key);
  expect(webhook?.reason).toBe('Its address was lost with the SECRET_KEY that sealed it.');
  expect(await secretOf(world, waiting.key)).not.toBe(lost);
  const refused = await world.call(`/api.php?action=get_api_key&token=${waiting.loginToken}`, {
    headers: {},
  });
  expect([refused.status, (await problemOf(refused)).code]).toEqual([409, 'key_unreadable']);
  await expect(run(FIRST, 'account', 'list')).rejects.toThrow('does not open');
});

test.each([
  ['account', 'list'],
  ['account', 'delete', 'mira', '--yes'],
  ['token', 'list', 'mira'],
  ['ledger', 'check'],
  ['usage'],
  ['vault', 'check'],
  ['vault', 'reset', '--yes'],
  ['backup', '/tmp/never-written.sqlite'],
])('a mistyped path makes no database: %s %s', async (...args) => {
  const { folder } = await testStorage();
  const path = join(folder, 'mistyped', 'service.sqlite');
  const typed = runCommand(args, { SERVICE_DATABASE_URL: `sqlite://${path}` });
  await expect(typed).rejects.toThrow(
    `There is no database ${path}. Look at SERVICE_DATABASE_URL and DARKROOM_HOME.`,
  );
  expect(existsSync(join(folder, 'mistyped'))).toBe(false);
});
