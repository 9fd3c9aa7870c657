import { MINUTE_MS } from '@darkroom/time';
import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { createdAt } from 'local-discord';
import { expect, test } from 'vitest';
import { BOT } from '../../packages/local-discord/test/support/local-discord.ts';
import { aJob, REPLY_ID, TASKS } from '../support/job.ts';
import { type Observed, runChecks } from './checks.ts';

const delivered = aJob({ state: 'delivered' });

/** A run with one picture that was delivered, which nobody sees any more. */
const run = ({ removing = false, ...rest }: Partial<Observed> & { removing?: boolean }): Observed => ({
  jobs: [delivered],
  messages: [],
  outcomes: [
    { messageId: REPLY_ID, jobId: delivered.id, memberId: delivered.member.id, files: [], since: 0 },
  ],
  history: {
    invocations: [],
    deleted: new Set(removing ? [REPLY_ID] : []),
    removing: new Set(removing ? [REPLY_ID] : []),
    stopped: new Set(),
    stops: [],
    keys: new Map(),
    shown: new Set(),
    limits: [],
  },
  exits: [],
  advances: [],
  submissions: [],
  idempotent: true,
  wasStopped: () => false,
  finishedAt: () => undefined,
  stateOf: async () => 'completed',
  ...rest,
});

const found = async (observed: Observed) =>
  (await runChecks(observed)).violations.map(({ rule }) => rule.replace(/^job \d+ /, ''));

test('a picture that disappears without a deletion is found', async () => {
  expect(await found(run({}))).toEqual(['is delivered, but nobody can see it']);
});

test('a deletion that its job does not know is found, and one that it knows is none', async () => {
  expect(await found(run({ removing: true }))).toEqual(['was deleted, and does not know it']);
  const knowing = { ...delivered, removed: true as const };
  expect(await found(run({ removing: true, jobs: [knowing] }))).toEqual([]);
});

test('a picture that is shown twice, or without its file, is found', async () => {
  const [outcome] = run({}).outcomes;
  if (!outcome) throw new Error('there is no outcome');
  const twice = [outcome, { ...outcome, messageId: '600000000000000002', since: 1 }];
  expect(await found(run({ removing: true, outcomes: twice }))).toContain('was posted 2 times');
  const again = { outcomes: twice, history: { ...run({}).history, shown: new Set([delivered.id]) } };
  expect(await found(run(again))).toContain('was posted 2 times');
  const isPrivate = { ...delivered, private: true };
  expect(await found(run({ ...again, jobs: [isPrivate] }))).not.toContain('was posted 2 times');
  // What a message needs for these checks.
  const bare = { id: REPLY_ID, attachments: [], content: '', author: { id: '1' } } as unknown as APIMessage;
  expect(await found(run({ messages: [bare] }))).toEqual(['has 1 pictures and shows 0']);
});

test('a picture finished only after the deadline of its own task is not lost, however late its job ends', async () => {
  const task = { ...TASKS.failed, taskId: 'a task', failure: { kind: 'timed-out' as const } };
  const timedOut = (finishedMinute: number) =>
    run({
      removing: true,
      jobs: [{ ...delivered, removed: true, deadlineAt: 120 * MINUTE_MS, tasks: [task] }],
      submissions: [{ idempotencyKey: task.idempotencyKey, taskId: 'a task', answeredAt: 0 }],
      finishedAt: () => finishedMinute * MINUTE_MS,
    });
  expect(await found(timedOut(37))).toEqual([]);
  expect(await found(timedOut(20))).toContainEqual(expect.stringContaining('it was lost'));
});

/** The acknowledgement of an interaction, with what these checks need of a message. */
const thinking = (interactionId: string) =>
  ({
    id: REPLY_ID,
    attachments: [],
    content: '',
    author: { id: BOT },
    flags: MessageFlags.Loading,
    interaction_metadata: { id: interactionId },
  }) as unknown as APIMessage;

test('a picture that could not be fetched is not lost where the clock left no time to try again', async () => {
  const task = { ...TASKS.failed, taskId: 'a task', failure: { kind: 'unfetched' as const } };
  const unfetched = (
    ...[from, to, ended = 60]: [fromMinute: number, toMinute: number, endedMinute?: number]
  ) =>
    run({
      removing: true,
      jobs: [{ ...delivered, removed: true, tasks: [task], endedAt: ended * MINUTE_MS }],
      finishedAt: () => MINUTE_MS,
      advances: [{ from: from * MINUTE_MS, to: to * MINUTE_MS }],
    });
  const lost = expect.stringContaining('it was lost');
  expect(await found(unfetched(2, 25))).toEqual([]);
  expect(await found(unfetched(2, 15))).toContainEqual(lost);
  expect(await found(unfetched(0, 25))).toContainEqual(lost);
  expect(await found(unfetched(30, 55, 5))).toContainEqual(lost);
});

test('a reply that says nothing is no fault where its token ran out before a process could say more', async () => {
  const id = '100000000000000001';
  const shownAt = createdAt(id) + MINUTE_MS;
  const elsewhere = (advance?: { afterMs: number; to: number }) =>
    run({
      removing: true,
      jobs: [{ ...delivered, id, private: true, removed: true }],
      messages: [thinking(id)],
      outcomes: [
        {
          messageId: '600000000000000002',
          jobId: id,
          memberId: delivered.member.id,
          files: [],
          since: shownAt,
        },
      ],
      advances: advance ? [{ from: shownAt + advance.afterMs, to: advance.to }] : [],
    });
  const told = expect.stringContaining('still says: thinking');
  const closed = shownAt + 33 * MINUTE_MS;
  expect(await found(elsewhere())).toContainEqual(told);
  expect(await found(elsewhere({ afterMs: 150, to: shownAt + MINUTE_MS }))).toContainEqual(told);
  expect(await found(elsewhere({ afterMs: 3 * MINUTE_MS, to: closed }))).toContainEqual(told);
  expect(await found(elsewhere({ afterMs: MINUTE_MS, to: closed }))).not.toContainEqual(told);
});

test('an answer that stays out is no fault where its bot exited around the acknowledgement', async () => {
  const interactionId = '100000000000000001';
  const message = thinking(interactionId);
  const answer = { kind: 'message' as const, interactionId, message };
  const acknowledged = (at: number, exit: number) => {
    const { history, ...rest } = run({ removing: true, jobs: [], outcomes: [], messages: [message] });
    const invocations = [{ forPictures: false, answer, at }];
    return { ...rest, history: { ...history, invocations }, exits: [exit] };
  };
  const told = expect.stringContaining('still says: thinking');
  expect(await found(acknowledged(10_000, 10_200))).toEqual([]);
  // The proxy still held it up.
  expect(await found(acknowledged(10_000, 9_800))).toEqual([]);
  expect(await found(acknowledged(10_000, 5_000))).toContainEqual(told);
  expect(await found(acknowledged(10_000, 20_000))).toContainEqual(told);
});
