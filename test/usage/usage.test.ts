import { createVault, openSqlite } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import type { Statement } from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import type { JobTask } from '../../src/jobs/job-task.ts';
import { beginRedelivery } from '../../src/jobs/redelivery.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import { openStore } from '../../src/storage/store.ts';
import { createMonthSum } from '../../src/usage/month-usage.ts';
import { createUsage } from '../../src/usage/usage.ts';
import { usageOf } from '../../src/usage/usage-row.ts';
import { describeEachStore, newFile } from '../support/each-store.ts';
import { aJob, CALLED_BY, TASKS } from '../support/job.ts';
import { CALLER, createJobWorld } from '../support/job-world.ts';
import { PAID_FOR_NOTHING } from '../support/poll-world.ts';

const { guildId: GUILD, member: MEMBER } = CALLED_BY;
const OTHER_GUILD = '300000000000000002';
const OTHER_MEMBER = '200000000000000002';

const costing = (cost: number): JobTask => ({ ...TASKS.completed, cost });
const failedAs = (kind: (JobTask & { state: 'failed' })['failure']['kind']): JobTask => ({
  ...TASKS.failed,
  failure: { kind },
});
let jobs = 0;

/** A job that is over, one of many. */
const ended = (changes: Partial<Job> = {}): Job =>
  aJob({
    id: `${100_000_000_000_000_000n + BigInt(++jobs)}`,
    createdAt: Date.UTC(2026, 10, 22),
    ...changes,
    state: 'delivered',
  } as Partial<Job>);

describeEachStore((open) => {
  async function usageWorld() {
    const store = await open();
    const usage = createUsage({
      store,
      knownGuilds: createKnownGuilds({ store }),
      retentionMs: 90 * DAY_MS,
    });
    const vault = createVault(['ab'.repeat(32)]);
    return { usage, jobs: createJobStore({ store, vault, rowsAtEnd: usage.rowsOf }) };
  }

  test('a job that is over counts in its server, on the day on which its tasks had ended', async () => {
    const { usage, jobs } = await usageWorld();
    await jobs.saveAndSettle(ended({ tasks: [costing(2), costing(0.5), failedAs('task-failed')] }));
    await jobs.saveAndSettle(ended({ endedAt: Date.UTC(2026, 10, 23, 0, 1), submission: { prompt: {} } }));
    const month = await usage.month(GUILD, '2026-11');
    expect(month.total).toEqual({ pictures: 3, failed: 1, credits: 2.5, members: 1 });
    expect(month.days).toHaveLength(30);
    expect(month.days[21]).toEqual({ day: '2026-11-22', pictures: 2, failed: 1, credits: 2.5 });
    expect(month.days[22]).toEqual({ day: '2026-11-23', pictures: 1, failed: 0, credits: 0 });
    expect(month.workflows.map(({ workflow }) => workflow)).toEqual(['anime', 'graph']);
    expect(month.members).toMatchObject([{ memberId: MEMBER.id, pictures: 3 }]);
    expect((await usage.month(GUILD, '2026-10')).total.pictures).toBe(0);
  });

  test('it counts once, however often its end is written', async () => {
    const { usage, jobs } = await usageWorld();
    const job = ended({ tasks: [costing(1)] });
    await jobs.saveAndSettle({ ...job, state: 'waiting', waitReason: 'refused' });
    await jobs.saveAndSettle(job);
    await Promise.all([jobs.saveAndSettle(job), jobs.saveAndSettle(job)]);
    expect((await usage.month(GUILD, '2026-11')).total).toMatchObject({ pictures: 1, credits: 1 });
  });

  test('an outcome that was found counts, also where no process could write how its tasks ended', async () => {
    const { usage, jobs } = await usageWorld();
    await jobs.saveAndSettle(ended({ tasks: [{ ...TASKS.following, cost: 2 }, TASKS.submitting] }));
    expect((await usage.month(GUILD, '2026-11')).total).toMatchObject({ pictures: 2, failed: 0, credits: 2 });
  });

  test('whose outcome waits stands in no count: it may expire before they see it, and could not be erased', async () => {
    const { usage, jobs } = await usageWorld();
    const job = ended({ tasks: [costing(1)] });
    const whose = async () => (await usage.month(GUILD, '2026-11')).parts.map(({ memberId }) => memberId);
    await jobs.saveAndSettle({ ...job, state: 'waiting', waitReason: 'refused' });
    expect(await whose()).toEqual([null]);
    await jobs.saveAndSettle(job);
    expect(await whose()).toEqual([MEMBER.id]);
  });

  test.each([
    ['in another server', OTHER_GUILD],
    ['in direct messages', null],
  ])('what waited and is shown %s counts once, where it was asked for', async (_, guildId) => {
    const { usage, jobs } = await usageWorld();
    const job: Job = { ...ended({ tasks: [costing(2)] }), state: 'waiting', waitReason: 'refused' };
    await jobs.saveAndSettle(job);
    const caller = { ...CALLER, guildId, channelId: '400000000000000002' };
    const delivery = { find: async () => ({ state: 'absent' as const }) };
    const acknowledge = async () => '600000000000000002';
    const begun = await beginRedelivery(
      job.id,
      caller,
      { acknowledge },
      { jobs, delivery, log: silentLog() },
    );
    if (begun.state !== 'begun') throw new Error(begun.state);
    await jobs.saveAndSettle({ ...begun.job, state: 'delivered' });
    const month = await usage.month(GUILD, '2026-11');
    expect(month.total).toEqual({ pictures: 1, failed: 0, credits: 2, members: 1 });
    expect(month.parts).toMatchObject([{ memberId: MEMBER.id }]);
    expect((await usage.month(OTHER_GUILD, '2026-11')).total).toMatchObject({ pictures: 0, credits: 0 });
    await usage.eraseMember(await jobs.ofMember(MEMBER.id));
    expect((await usage.month(GUILD, '2026-11')).parts).toMatchObject([{ memberId: null, pictures: 1 }]);
  });

  test('nothing counts that has not ended, was stopped by its member, or was asked for in direct messages', async () => {
    const { usage, jobs } = await usageWorld();
    await jobs.saveAndSettle(aJob({ createdAt: Date.UTC(2026, 10, 22), tasks: [TASKS.following] }));
    await jobs.saveAndSettle(
      ended({ tasks: [failedAs('cancelled'), failedAs('withdrawn'), failedAs('left')] }),
    );
    await jobs.saveAndSettle(ended({ guildId: null }));
    expect((await usage.month(GUILD, '2026-11')).parts).toEqual([]);
  });

  test('what a member pays with a key of their own is no credit of the server', async () => {
    const { usage, jobs } = await usageWorld();
    await jobs.saveAndSettle(ended({ tasks: [costing(7)], payer: { kind: 'member', id: MEMBER.id } }));
    await jobs.saveAndSettle(ended({ tasks: [costing(3)], payer: { kind: 'guild', id: GUILD } }));
    expect((await usage.month(GUILD, '2026-11')).total).toMatchObject({ pictures: 2, credits: 3 });
  });

  test('a server sees nothing of another, and forgets without it', async () => {
    const { usage, jobs } = await usageWorld();
    await jobs.saveAndSettle(ended());
    await jobs.saveAndSettle(ended({ guildId: OTHER_GUILD }));
    expect((await usage.month(GUILD, '2026-11')).total.pictures).toBe(1);
    await usage.purgeGuild(GUILD);
    expect((await usage.month(GUILD, '2026-11')).total.pictures).toBe(0);
    expect((await usage.month(OTHER_GUILD, '2026-11')).total.pictures).toBe(1);
  });

  test('what a member who is erased leaves is kept no longer than it was to be', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { usage, jobs } = await usageWorld();
    const job = ended();
    await jobs.saveAndSettle(job);
    vi.setSystemTime(Date.now() + 89 * DAY_MS);
    await usage.eraseMember([job]);
    expect((await usage.month(GUILD, '2026-11')).parts).toMatchObject([{ memberId: null, pictures: 1 }]);
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    expect((await usage.month(GUILD, '2026-11')).parts).toEqual([]);
  });

  test('a member who is erased leaves counts that name nobody', async () => {
    const { usage, jobs } = await usageWorld();
    const [own, others] = [ended(), ended({ member: { id: OTHER_MEMBER, locale: 'en-GB' } })];
    for (const job of [own, others]) await jobs.saveAndSettle(job);
    await usage.eraseMember([own]);
    const month = await usage.month(GUILD, '2026-11');
    expect(month.total).toMatchObject({ pictures: 2, members: 1 });
    expect(month.members.map(({ memberId }) => memberId)).toEqual([OTHER_MEMBER]);
    expect(JSON.stringify(month)).not.toContain(MEMBER.id);
  });
});

test('however much somebody has asked for, they are erased in a few writes', async () => {
  const store = await openStore({ url: await newFile(), log: silentLog() });
  onTestFinished(store.close);
  const retentionMs = 90 * DAY_MS;
  const usage = createUsage({ store, knownGuilds: createKnownGuilds({ store }), retentionMs });
  const many = Array.from({ length: 2_000 }, () => ended());
  await store.write(many.flatMap(usage.rowsOf));
  const statements: Statement = Object.getPrototypeOf(
    openSqlite(':memory:', { timeoutMs: 0 }).prepare('BEGIN'),
  );
  const spies = [vi.spyOn(statements, 'run'), vi.spyOn(statements, 'all')];
  await usage.eraseMember(many);
  const done = spies.flatMap(({ mock }) => mock.contexts).map((each) => Reflect.get(Object(each), 'source'));
  for (const spy of spies) spy.mockRestore();
  expect(done.filter((sql) => /^(INSERT|UPDATE)/.test(sql))).toHaveLength(2);
  const { total, parts } = await usage.month(GUILD, '2026-11');
  expect([total.pictures, parts.map(({ memberId }) => memberId)]).toEqual([2_000, [null]]);
});

test('a month of more parts than are told one by one says how many are left out, and counts them', () => {
  const sum = createMonthSum('2026-11');
  const rows = Array.from({ length: 50_002 }, (_, nth) => ({
    ...{ memberId: `${nth}`, workflow: 'default', pictures: 1, failed: 0, credits: 0 },
  }));
  sum.add('2026-11-01', rows);
  const { parts, partsLeftOut, total } = sum.sum();
  expect([parts.length, partsLeftOut, total.pictures]).toEqual([50_000, 2, 50_002]);
});

test('what was paid counts also where its picture could not be fetched, and where its task failed', async () => {
  const world = await createJobWorld(PAID_FOR_NOTHING);
  await world.beginJob({ count: 2 });
  await world.pass(() => world.delivered.length === 1);
  const [ended] = world.delivered;
  expect(ended && usageOf(ended.job)).toMatchObject({ pictures: 0, failed: 2, credits: 7 });
});
