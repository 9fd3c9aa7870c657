import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import type { Delivery, FindResult } from '../../src/jobs/delivery-port.ts';
import type { Caller } from '../../src/jobs/job-request.ts';
import { CALLER, createJobWorld } from '../support/job-world.ts';

const { id } = CALLER.interaction;
const message = { channelId: '400000000000000009', messageId: '600000000000000009' };
const arrived = { state: 'delivered', message, shownAt: 0 } as const;

const UNVERIFIABLE = { state: 'waiting', reason: 'unverifiable' } as const;

/** A job whose picture no way led to its member. */
type DeliveryResult = Awaited<ReturnType<Delivery['deliver']>>;

async function waitingWorld(outcome: DeliveryResult = { state: 'waiting', reason: 'refused' }) {
  const world = await createJobWorld({ deliver: () => Promise.resolve(outcome) });
  const { tracker, jobs } = await world.beginJob();
  await world.untilState(jobs, id, 'waiting');
  world.delivered.length = 0;
  const caller: Caller = {
    ...CALLER,
    guildId: null,
    channelId: message.channelId,
    interaction: {
      id: '100000000000000002',
      token: 'aW50ZXJhY3Rpb246fresh',
      createdAt: world.clock.now(),
      aheadMs: 0,
    },
  };
  const replied = () => Promise.resolve(message.messageId);
  return { ...world, tracker, jobs, caller, replied };
}

/** What processes on one PostgreSQL share. */
function createLocks() {
  const held = new Set<string>();
  return {
    async lockJob(job: string) {
      if (held.has(job)) return undefined;
      held.add(job);
      return async () => void held.delete(job);
    },
    anyHeld: () => held.size > 0,
  };
}

/** Two of them with such a job, whose next delivery ends with `outcome`. */
async function twoProcesses(before?: DeliveryResult) {
  const world = await waitingWorld(before);
  await world.tracker.stop();
  const outcome = createDeferred<DeliveryResult>();
  world.service.deliver = () => outcome.promise;
  const locks = createLocks();
  const start = () => world.startTracker(undefined, undefined, locks.lockJob);
  return { ...world, one: await start(), other: await start(), outcome, locks };
}

test('a refused picture is saved, and delivered to its member who asks for it', async () => {
  const { tracker, jobs, caller, replied, service, delivered, untilState } = await waitingWorld();
  service.download = () => Promise.reject(new ServiceError('not-found', 'expired'));
  service.deliver = () => Promise.resolve(arrived);
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('begun');
  await untilState(jobs, id, 'delivered');
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('over');
  const [handedOut] = delivered;
  expect(handedOut?.job).toMatchObject({
    channelId: caller.channelId,
    reply: { messageId: message.messageId },
  });
  expect(Buffer.from(handedOut?.pictures[0]?.bytes ?? []).equals(A_PNG)).toBe(true);
});

test('a process that dies while it redelivers a picture leaves a row that leads to the new reply', async () => {
  const { tracker, caller, replied, service, delivered, pass, resumeJobs, jobs, untilState } =
    await waitingWorld();
  service.deliver = (_job, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await tracker.redeliver(id, caller, { acknowledge: replied });
  await pass(() => delivered.length === 1);
  service.deliver = () => Promise.resolve(arrived);
  await resumeJobs();
  await untilState(jobs, id, 'delivered');
  const again = delivered[1]?.job;
  expect(again).toMatchObject({ channelId: caller.channelId, reply: { messageId: message.messageId } });
  expect(again?.secrets?.interactionToken).toBe(caller.interaction.token);
});

test('a picture that is asked for twice at once is redelivered once', async () => {
  const { tracker, jobs, caller, replied, service, delivered, untilState } = await waitingWorld();
  service.deliver = () => Promise.resolve(arrived);
  const both = await Promise.all([
    tracker.redeliver(id, caller, { acknowledge: replied }),
    tracker.redeliver(id, caller, { acknowledge: replied }),
  ]);
  expect(both.toSorted()).toEqual(['begun', 'over']);
  await untilState(jobs, id, 'delivered');
  expect(delivered).toHaveLength(1);
});

test('an interaction is acknowledged only once a picture is certain to be redelivered', async () => {
  const { tracker, jobs, caller, service } = await waitingWorld(UNVERIFIABLE);
  let acknowledged = 0;
  const acknowledging = async () => {
    acknowledged += 1;
    return message.messageId;
  };
  service.find = () => new Promise(() => {});
  expect(await tracker.redeliver(id, caller, { acknowledge: acknowledging })).toBe('unanswered');
  service.find = () => Promise.resolve({ state: 'found', message });
  expect(await tracker.redeliver(id, caller, { acknowledge: acknowledging })).toBe('over');
  expect(acknowledged).toBe(0);
  expect(await jobs.find(id)).toMatchObject({ state: 'delivered' });
});

test('a picture stays where it waits when its new reply cannot be acknowledged', async () => {
  const { tracker, jobs, caller, replied, service, untilState } = await waitingWorld();
  const tooLate = new Error('Unknown interaction');
  await expect(tracker.redeliver(id, caller, { acknowledge: () => Promise.reject(tooLate) })).rejects.toBe(
    tooLate,
  );
  expect(await jobs.find(id)).toMatchObject({ state: 'waiting' });
  service.deliver = () => Promise.resolve(arrived);
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('begun');
  await untilState(jobs, id, 'delivered');
});

test('while Discord does not say whether a picture has arrived it is not redelivered', async () => {
  const { tracker, jobs, caller, replied, service, delivered, untilState } = await waitingWorld(UNVERIFIABLE);
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => Promise.reject(new Error('503'));
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('unanswered');
  expect(delivered).toEqual([]);
  service.find = () => Promise.resolve({ state: 'absent' });
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('begun');
  await untilState(jobs, id, 'delivered');
});

test('where nobody can look a picture is redelivered to the member who asks for it', async () => {
  const { tracker, jobs, caller, replied, service, untilState } = await waitingWorld(UNVERIFIABLE);
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => Promise.resolve({ state: 'unknown' });
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('begun');
  await untilState(jobs, id, 'delivered');
});

test('a picture that has arrived after all is not redelivered, and its row says where it is', async () => {
  const { tracker, jobs, caller, replied, service, delivered } = await waitingWorld(UNVERIFIABLE);
  service.find = () => Promise.resolve({ state: 'found', message });
  expect(await tracker.redeliver(id, caller, { acknowledge: replied })).toBe('over');
  expect(await jobs.find(id)).toMatchObject({ state: 'delivered', posted: { messageId: message.messageId } });
  expect(delivered).toEqual([]);
});

test('a job that is due while it is looked for is redelivered all the same, once', async () => {
  const { tracker, jobs, caller, replied, service, delivered, clock, untilState } = await waitingWorld({
    state: 'waiting',
    reason: 'unconfirmed',
  });
  const looked = createDeferred<FindResult>();
  const begun = createDeferred<void>();
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => {
    begun.resolve();
    return looked.promise;
  };
  const handingOut = tracker.redeliver(id, caller, { acknowledge: replied });
  await begun.promise;
  await clock.advance(6 * 60_000);
  looked.resolve({ state: 'absent' });
  expect(await handingOut).toBe('begun');
  await untilState(jobs, id, 'delivered');
  expect(delivered.map(({ job }) => job.reply.messageId)).toEqual([message.messageId]);
});

test('while another attempt is under way nobody is told that a picture has arrived', async () => {
  const { tracker, jobs, caller, replied, service, delivered, clock, pass, untilState } = await waitingWorld({
    state: 'waiting',
    reason: 'unconfirmed',
  });
  const looked = createDeferred<FindResult>();
  let looks = 0;
  service.find = () => {
    looks += 1;
    return looked.promise;
  };
  service.deliver = () => Promise.resolve(arrived);
  await clock.advance(6 * 60_000);
  await pass(() => looks === 1);
  const handingOut = tracker.redeliver(id, caller, { acknowledge: replied });
  await clock.advance(2_000);
  expect(await handingOut).toBe('unanswered');
  looked.resolve({ state: 'absent' });
  await untilState(jobs, id, 'delivered');
  expect(delivered).toHaveLength(1);
});

test('a picture that one process tries again is not delivered by another one meanwhile, nor after it has arrived', async () => {
  const world = await twoProcesses({ state: 'waiting', reason: 'unconfirmed' });
  const { one, other, outcome, locks, delivered, caller, replied, pass, jobs, untilState } = world;
  expect(await one.tracker.resume()).toBe(1);
  await pass(() => delivered.length === 1);
  expect(await other.tracker.redeliver(id, caller, { acknowledge: replied })).toBe('unanswered');
  outcome.resolve(arrived);
  await untilState(jobs, id, 'delivered');
  await pass(() => !locks.anyHeld());
  expect(await other.tracker.redeliver(id, caller, { acknowledge: replied })).toBe('over');
  expect(delivered).toHaveLength(1);
});

test('what is on its way to its member is not erased, and can be once it has arrived', async () => {
  const world = await twoProcesses();
  const { one, other, outcome, locks, delivered, caller, replied, pass, jobs, untilState } = world;
  expect(await one.tracker.redeliver(id, caller, { acknowledge: replied })).toBe('begun');
  await pass(() => delivered.length === 1);
  const waiting = await jobs.ofMember(caller.member.id);
  for (const { tracker } of [one, other]) expect(await tracker.eraseIdle(waiting)).toBe(0);
  expect(await jobs.ofMember(caller.member.id)).toEqual(waiting);
  outcome.resolve(arrived);
  await untilState(jobs, id, 'delivered');
  await pass(() => !locks.anyHeld());
  expect(await other.tracker.eraseIdle(await jobs.ofMember(caller.member.id))).toBe(1);
  await one.tracker.stop();
  expect(await jobs.find(id)).toBeUndefined();
});
