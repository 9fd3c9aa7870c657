import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import type { Outcome, Whereabouts } from '../../src/jobs/delivery.ts';
import type { FreshReply } from '../../src/jobs/tracker.ts';
import { createDeferred } from '../support/deferred.ts';
import { acknowledge, createJobWorld, request } from '../support/job-world.ts';
import { A_PNG } from '../support/polite-service.ts';

const { id } = request();
const arrived = {
  state: 'delivered',
  channelId: '400000000000000009',
  messageId: '600000000000000009',
} as const;

const UNSEEN = { state: 'waiting', unsure: true, unseen: true } as const;

/** A job whose picture no way led to its member. */
async function waitingWorld(outcome: Outcome = { state: 'waiting', unsure: false }) {
  const world = await createJobWorld({ deliver: () => Promise.resolve(outcome) });
  const { tracker, jobs } = await world.startTracker();
  await tracker.begin(request(), acknowledge);
  await world.untilState(jobs, id, 'waiting');
  world.delivered.length = 0;
  const reply: FreshReply = {
    guildId: null,
    attachmentLimit: 10_485_760,
    interactionToken: 'aW50ZXJhY3Rpb246fresh',
    askedAt: world.clock.now(),
    channelId: arrived.channelId,
    messageId: arrived.messageId,
  };
  return { ...world, tracker, jobs, reply };
}

test('a picture without a way to its member is kept, and handed out when there is one', async () => {
  const { tracker, jobs, reply, service, delivered, untilState } = await waitingWorld();
  service.download = () => Promise.reject(new ServiceError('not-found', 'expired'));
  service.deliver = () => Promise.resolve(arrived);
  expect(await tracker.handOut(id, reply)).toBe('handed-out');
  await untilState(jobs, id, 'delivered');
  expect(await tracker.handOut(id, reply)).toBe('over');
  const [handedOut] = delivered;
  expect(handedOut?.job).toMatchObject({ channelId: reply.channelId, reply: { messageId: reply.messageId } });
  expect(Buffer.from(handedOut?.pictures[0]?.bytes ?? []).equals(A_PNG)).toBe(true);
});

test('a process that dies while it hands a picture out leaves a row that leads to the new reply', async () => {
  const { tracker, reply, service, delivered, pass, startTracker, jobs, untilState } = await waitingWorld();
  service.deliver = (_job, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await tracker.handOut(id, reply);
  await pass(() => delivered.length === 1);
  service.deliver = () => Promise.resolve(arrived);
  const next = await startTracker();
  await next.tracker.resume();
  await untilState(jobs, id, 'delivered');
  const again = delivered[1]?.job;
  expect(again).toMatchObject({ channelId: reply.channelId, reply: { messageId: reply.messageId } });
  expect(again && jobs.unseal(again)?.interactionToken).toBe(reply.interactionToken);
});

test('a picture that is asked for twice at once is handed out once', async () => {
  const { tracker, jobs, reply, service, delivered, untilState } = await waitingWorld();
  service.deliver = () => Promise.resolve(arrived);
  const both = await Promise.all([tracker.handOut(id, reply), tracker.handOut(id, reply)]);
  expect(both.toSorted()).toEqual(['handed-out', 'over']);
  await untilState(jobs, id, 'delivered');
  expect(delivered).toHaveLength(1);
});

test('while Discord does not say whether a picture has arrived it is not handed out', async () => {
  const { tracker, jobs, reply, service, delivered, untilState } = await waitingWorld(UNSEEN);
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => Promise.reject(new Error('503'));
  expect(await tracker.handOut(id, reply)).toBe('unanswered');
  expect(delivered).toEqual([]);
  service.find = () => Promise.resolve('nowhere');
  expect(await tracker.handOut(id, reply)).toBe('handed-out');
  await untilState(jobs, id, 'delivered');
});

test('where nobody can look a picture is handed out to the member who asks for it', async () => {
  const { tracker, jobs, reply, service, untilState } = await waitingWorld(UNSEEN);
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => Promise.resolve('unknown');
  expect(await tracker.handOut(id, reply)).toBe('handed-out');
  await untilState(jobs, id, 'delivered');
});

test('a picture that has arrived after all is not handed out, and its row says where it is', async () => {
  const { tracker, jobs, reply, service, delivered } = await waitingWorld(UNSEEN);
  service.find = () => Promise.resolve(arrived);
  expect(await tracker.handOut(id, reply)).toBe('over');
  expect(await jobs.find(id)).toMatchObject({ state: 'delivered', posted: { messageId: arrived.messageId } });
  expect(delivered).toEqual([]);
});

test('a job that falls due while it is looked for is handed out all the same, once', async () => {
  const { tracker, jobs, reply, service, delivered, clock, untilState } = await waitingWorld({
    state: 'waiting',
    unsure: true,
  });
  const looked = createDeferred<Whereabouts>();
  const begun = createDeferred<void>();
  service.deliver = () => Promise.resolve(arrived);
  service.find = () => {
    begun.resolve();
    return looked.promise;
  };
  const handingOut = tracker.handOut(id, reply);
  await begun.promise;
  await clock.advance(6 * 60_000);
  looked.resolve('nowhere');
  expect(await handingOut).toBe('handed-out');
  await untilState(jobs, id, 'delivered');
  expect(delivered.map(({ job }) => job.reply.messageId)).toEqual([reply.messageId]);
});

test('while another attempt is under way nobody is told that a picture has arrived', async () => {
  const { tracker, jobs, reply, service, delivered, clock, pass, untilState } = await waitingWorld({
    state: 'waiting',
    unsure: true,
  });
  const looked = createDeferred<Whereabouts>();
  let looks = 0;
  service.find = () => {
    looks += 1;
    return looked.promise;
  };
  service.deliver = () => Promise.resolve(arrived);
  await clock.advance(6 * 60_000);
  await pass(() => looks === 1);
  const handingOut = tracker.handOut(id, reply);
  await clock.advance(2_000);
  expect(await handingOut).toBe('unanswered');
  looked.resolve('nowhere');
  await untilState(jobs, id, 'delivered');
  expect(delivered).toHaveLength(1);
});
