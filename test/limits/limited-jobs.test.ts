import { createVault } from '@darkroom/storage';
import { HOUR_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { isOver, type Job } from '../../src/jobs/job.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { failTask } from '../../src/jobs/job-task.ts';
import { type LimitedReservation, LimitReachedError } from '../../src/limits/reservation.ts';
import { usageOf } from '../../src/usage/usage-row.ts';
import { describeEachStore } from '../support/each-store.ts';
import { aJob, TASKS } from '../support/job.ts';
import { CALLER, createJobWorld } from '../support/job-world.ts';
import { PAID_FOR_NOTHING } from '../support/poll-world.ts';

const expires = Date.now() + HOUR_MS;
const reservation = (
  key: string,
  per: LimitedReservation['per'],
  amount: number,
  limit: number,
): LimitedReservation => ({
  key,
  per,
  amount,
  limit,
  limited: 'member',
  expires,
});

const NOT_SENT = { ...TASKS.failed, failure: { kind: 'withdrawn' } } as const;
const REFUSED_LATER = { ...TASKS.failed, taskId: 'a task', failure: { kind: 'unreachable' } } as const;

describeEachStore((open) => {
  async function world() {
    const store = await open();
    const learnt: number[] = [];
    const jobs = createJobStore({
      store,
      vault: createVault(['ab'.repeat(32)]),
      learnCost: (_, credits) => void learnt.push(credits),
    });
    const begin = (id: number, reservations: LimitedReservation[], rest: Partial<Job> = {}) => {
      const job = {
        ...aJob({ id: `1000000000000${`${id}`.padStart(5, '0')}` }),
        reservations,
        ...rest,
      } as Job;
      return { job, created: jobs.create(job, { reservations }) };
    };
    return { store, jobs, begin, learnt };
  }

  test('two hundred requests at once begin as many jobs as the limit allows', async () => {
    const { store, jobs, begin } = await world();
    const reservations = [reservation('all', 'picture', 1, 30), reservation('open', 'request', 1, 1_000)];
    const begun = await Promise.allSettled(
      Array.from({ length: 200 }, (_, nth) => begin(nth, reservations).created),
    );
    const refused = begun.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(170);
    expect(refused.every((one) => 'reason' in one && one.reason instanceof LimitReachedError)).toBe(true);
    expect(await store.counted(['all', 'open'])).toEqual([30, 30]);
    expect(await jobs.unfinished()).toHaveLength(30);
  });

  test('a request that comes twice counts once', async () => {
    const { store, begin } = await world();
    const reservations = [reservation('all', 'picture', 1, 30)];
    const created = await Promise.all([begin(1, reservations).created, begin(1, reservations).created]);
    expect(created.toSorted()).toEqual([false, true]);
    expect(await store.counted(['all'])).toEqual([1]);
  });

  test('what was not drawn is given back once, however often its end is written', async () => {
    const { store, jobs, begin } = await world();
    const reservations = [reservation('all', 'picture', 3, 30), reservation('open', 'request', 1, 2)];
    const tasks = [TASKS.completed, NOT_SENT, REFUSED_LATER];
    const { job, created } = begin(1, reservations, { tasks });
    await created;
    await begin(2, reservations).created;
    const over: Job = { ...job, state: 'delivered' };
    await Promise.all([jobs.saveAndSettle(over), jobs.saveAndSettle(over)]);
    await jobs.saveAndSettle(over);
    expect(await store.counted(['all', 'open'])).toEqual([5, 1]);
    expect((await jobs.find(job.id))?.reservations).toBeUndefined();
  });

  test('what a picture has cost is learnt once, however often the end of its job is written', async () => {
    const { jobs, begin, learnt } = await world();
    const tasks = [{ ...TASKS.completed, cost: 2.5 }];
    const { job, created } = begin(1, [reservation('all', 'picture', 1, 30)], { tasks });
    await created;
    const over: Job = { ...job, state: 'delivered' };
    await Promise.all([jobs.saveAndSettle(over), jobs.saveAndSettle(over)]);
    await jobs.saveAndSettle(over);
    expect(learnt).toEqual([2.5]);
  });

  test('what may have cost what it was accepted for counts with that in a budget, and what was not drawn with nothing', async () => {
    const { store, jobs, begin } = await world();
    const accepted = { ...TASKS.following, cost: 4 };
    const tasks = [failTask(accepted, { kind: 'left' }), failTask(accepted, { kind: 'cancelled' })];
    const { job, created } = begin(1, [reservation('budget', 'credit', 1, 30)], { tasks });
    await created;
    await jobs.saveAndSettle({ ...job, state: 'cancelled' });
    expect(await store.counted(['budget'])).toEqual([4]);
    expect(usageOf({ ...job, state: 'cancelled' })).toBeUndefined();
  });

  test('a job that goes on keeps what it has taken, and one that waits has given it back', async () => {
    const { store, jobs, begin } = await world();
    const { job, created } = begin(1, [reservation('open', 'request', 1, 1)]);
    await created;
    await jobs.save({ ...job, state: 'delivering' });
    expect(await store.counted(['open'])).toEqual([1]);
    expect((await jobs.find(job.id))?.reservations).toHaveLength(1);
    await jobs.saveAndSettle({ ...job, state: 'waiting', waitReason: 'refused' });
    expect(await store.counted(['open'])).toEqual([0]);
  });

  test('a request that did not begin gives everything back, and one that was never written nothing', async () => {
    const { store, jobs, begin } = await world();
    const reservations = [reservation('all', 'picture', 1, 30), reservation('open', 'request', 1, 30)];
    const { job, created } = begin(1, reservations);
    await created;
    await begin(2, reservations).created;
    await jobs.discard(job);
    await jobs.discard(job);
    await jobs.discard({ ...aJob({ id: '200000000000000009' }), reservations });
    expect(await store.counted(['all', 'open'])).toEqual([1, 1]);
  });

  test('what one process discards while another takes it up is given back once', async () => {
    const { store, jobs, begin } = await world();
    await begin(1, [reservation('all', 'picture', 3, 30)]).created;
    const { job, created } = begin(2, [reservation('all', 'picture', 3, 30)], { tasks: [NOT_SENT] });
    await created;
    await jobs.discard(job);
    await jobs.saveAndSettle({ ...job, state: 'failed' });
    expect(await store.counted(['all'])).toEqual([3]);
  });

  test('a request that comes again after it was discarded is counted anew, and given back at its end', async () => {
    const { store, jobs, begin } = await world();
    const reservations = [reservation('open', 'request', 1, 30)];
    const { job, created } = begin(1, reservations);
    await created;
    await jobs.discard(job);
    const again = begin(1, reservations, { createdAt: job.createdAt + 1 });
    expect(await again.created).toBe(true);
    expect(await store.counted(['open'])).toEqual([1]);
    await jobs.saveAndSettle({ ...again.job, state: 'delivered' });
    expect(await store.counted(['open'])).toEqual([0]);
  });
});

test('what was paid stays counted where its picture could not be fetched, and where its task failed', async () => {
  const world = await createJobWorld(PAID_FOR_NOTHING);
  const reservations = [reservation('all', 'picture', 2, 30), reservation('budget', 'credit', 1, 100)];
  const { jobs } = await world.beginJob({ count: 2, reservations });
  await world.pass(async () => {
    const job = await jobs.find(CALLER.interaction.id);
    return job !== undefined && isOver(job);
  });
  expect(await world.store.counted(['all', 'budget'])).toEqual([2, 7]);
});
