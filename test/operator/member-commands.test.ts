import { readFile } from 'node:fs/promises';
import { createVault, openSqlite } from '@darkroom/storage';
import { expect, onTestFinished, test } from 'vitest';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { runStoreCommand } from '../../src/operator/store-commands.ts';
import { aJob, CALLED_BY } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const SECRET = 'ab'.repeat(32);
const MEMBER = CALLED_BY.member.id;
const WORDS = 'a fox of theirs';
const WORDS_OF_ANOTHER = 'a boat of another';
const OVER = aJob({
  id: '100000000000000002',
  state: 'delivered',
  submission: { ...aJob().submission, prompt: WORDS },
});
const ANOTHERS = aJob({
  id: '100000000000000003',
  state: 'delivered',
  submission: { ...aJob().submission, prompt: WORDS_OF_ANOTHER },
  member: { id: '200000000000000009', locale: 'en-GB' },
});

/** A store with what two members have made, beside the bot whose store it is. */
async function memberWorld() {
  const world = await createStoreWorld();
  const jobs = createJobStore({ store: world.store, vault: createVault([SECRET]) });
  for (const job of [OVER, ANOTHERS]) {
    await jobs.create(job);
    await jobs.saveAndSettle(job);
  }
  const asked: string[] = [];
  return {
    ...world,
    jobs,
    asked,
    run: (...args: string[]) =>
      runStoreCommand(['member', ...args], { STORE_URL: world.url, SECRET_KEY: SECRET }, async (question) => {
        asked.push(question);
      }),
  };
}

test('what is kept about a member is printed for the operator, and nothing of another', async () => {
  const { run, asked } = await memberWorld();
  const exported = await run('export', MEMBER);
  expect(JSON.parse(exported)).toMatchObject({
    jobs: [{ id: OVER.id, submission: OVER.submission }],
    key: null,
  });
  expect(exported).not.toContain(WORDS_OF_ANOTHER);
  expect(asked).toEqual([]);
});

test('a member who cannot use /privacy is erased by the operator, who is asked before, and no other', async () => {
  const { run, jobs, asked, path, reopen } = await memberWorld();
  expect(await run('erase', MEMBER)).toMatch(
    new RegExp(`^Erased in ${path} what is kept about ${MEMBER}\\. It stays in backups`),
  );
  expect(asked).toEqual([`This erases for good what is kept about ${MEMBER}. Type erase to confirm: `]);
  expect(await jobs.ofMember(MEMBER)).toEqual([]);
  expect(await jobs.ofMember(ANOTHERS.member.id)).toEqual([ANOTHERS]);
  await (await reopen()).wipeDeleted();
  expect((await readFile(path)).includes(WORDS)).toBe(false);
  await run('erase', MEMBER, '--yes');
  expect(asked).toHaveLength(1);
});

test('of a member of whom nothing is kept, as by a mistyped ID, nothing is said to be erased', async () => {
  const { run, jobs, path } = await memberWorld();
  const mistyped = `${BigInt(MEMBER) + 7n}`;
  expect(await run('erase', mistyped, '--yes')).toBe(
    `Nothing is kept about ${mistyped} in ${path}. Look at the ID, unless it was erased before.\n`,
  );
  expect(await jobs.ofMember(MEMBER)).toEqual([OVER]);
});

test('where a backup keeps words in the log of the store, the operator is told to come again', async () => {
  const { run, path } = await memberWorld();
  const backup = openSqlite(path, { timeoutMs: 0 });
  onTestFinished(backup.close);
  backup.exec('begin');
  backup.prepare('select count(*) from bot_rows').all();
  const NOT_WIPED = 'stands in its log. Run this again';
  expect(await run('erase', MEMBER, '--yes')).toContain(NOT_WIPED);
  expect(await run('erase', MEMBER, '--yes')).toContain(NOT_WIPED);
  backup.exec('commit');
  expect(await run('erase', MEMBER, '--yes')).not.toContain(NOT_WIPED);
  expect((await readFile(`${path}-wal`)).includes(WORDS)).toBe(false);
});

test('what is still under way stays, and the operator is told to come again', async () => {
  const { run, jobs } = await memberWorld();
  await jobs.create(aJob());
  expect(await run('erase', MEMBER, '--yes')).toContain(
    '1 request is under way: run this again once that is over.',
  );
  expect(await jobs.ofMember(MEMBER)).toEqual([aJob()]);
});

test.each(['fox', '12345', '<@200000000000000001>'])(
  '%j is no ID, and says where one is found',
  async (id) => {
    const { run } = await memberWorld();
    await expect(run('erase', id, '--yes')).rejects.toThrow('Developer Mode and then Copy User ID');
  },
);

test('where there is no store nothing is made', async () => {
  const { url } = await memberWorld();
  await expect(
    runStoreCommand(['member', 'export', MEMBER], { STORE_URL: `${url}-not-there`, SECRET_KEY: SECRET }),
  ).rejects.toThrow(/not-there/);
});
