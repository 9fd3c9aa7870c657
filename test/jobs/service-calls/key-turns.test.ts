import { DAY_MS, HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyTurns, type HeldTurn, NoTurnError } from '../../../src/jobs/service-calls/key-turns.ts';

/** The service has the task wait, and not for a moment only. */
function wait(turn: HeldTurn): void {
  turn.seen('pending');
  turn.seen('pending');
}

function turnsWorld() {
  const clock = createFakeClock();
  const keyTurns = createKeyTurns({ clock, random: () => 0 });
  const held: { name: string; turn: HeldTurn }[] = [];
  const positions = new Map<string, number>();
  const failed: unknown[] = [];
  let asked = 0;

  /** A member of a server asks for so many pictures; their turns come into `held`. */
  function ask(
    name: string,
    {
      count = 1,
      guild = name,
      apiKey = 'shared',
      shared = true,
      again = false,
      signal,
    }: {
      count?: number;
      guild?: string;
      apiKey?: string;
      shared?: boolean;
      again?: boolean;
      signal?: AbortSignal;
    } = {},
  ): void {
    for (let nth = 0; nth < count; nth += 1) {
      asked += 1;
      const turn = { apiKey, shared, guild, member: name, askedAt: asked };
      const options = {
        signal: signal ?? new AbortController().signal,
        waitsUntil: clock.now() + HOUR_MS,
        again,
        onWait: () => undefined,
        onPosition: (position: number) => void positions.set(name, position),
      };
      keyTurns.wait(turn, options).then(
        (given) => {
          held.push({ name, turn: given });
        },
        (error: unknown) => {
          failed.push(error);
        },
      );
    }
  }
  const names = () => held.map(({ name }) => name);
  /** Lets what has been settled be heard of. */
  const settle = () => clock.advance(0);
  return { clock, keyTurns, held, positions, failed, ask, names, settle };
}

test('a member who is alone with a key of their own waits for nothing', async () => {
  const { ask, held, settle } = turnsWorld();
  ask('ann', { count: 200, shared: false });
  await settle();
  expect(held).toHaveLength(200);
});

test('of a shared key, one member gets as many turns at first as one request takes, and more as the service begins', async () => {
  const { ask, held, settle } = turnsWorld();
  ask('ann', { count: 100 });
  await settle();
  expect(held).toHaveLength(4);
  for (const { turn } of held.slice()) turn.seen('begun');
  await settle();
  expect(held).toHaveLength(8);
  for (const { turn } of held.slice(4)) turn.seen('begun');
  await settle();
  expect(held).toHaveLength(16);
});

test('members who ask for little do not wait for each other', async () => {
  const { ask, held, settle } = turnsWorld();
  for (let nth = 0; nth < 300; nth += 1) ask(`member ${nth}`);
  await settle();
  expect(held).toHaveLength(300);
});

test('once the service has a task wait, half as many wait there as it has begun with', async () => {
  const { ask, held, keyTurns, settle } = turnsWorld();
  ask('ann', { count: 10 });
  await settle();
  for (const { turn } of held.slice(0, 2)) turn.seen('begun');
  await settle();
  const first = held.slice();
  for (const { turn } of first.slice(2)) wait(turn);
  await settle();
  expect(held).toHaveLength(first.length);
  for (const { turn } of first.slice(2)) turn.seen('begun');
  await settle();
  expect(held).toHaveLength(first.length + 3);
  for (const { turn } of held.slice()) turn.end();
  await settle();
  for (let left = held.length; left <= 10 && keyTurns.waiting() > 0; left += 1) {
    held.at(-1)?.turn.end();
    await settle();
  }
  expect(held).toHaveLength(10);
});

test('where the service says of every task that it waits until it is completed, ever more are there at once', async () => {
  const { ask, held, settle } = turnsWorld();
  ask('ann', { count: 16 });
  await settle();
  const atOnce: number[] = [];
  while (held.length > 0) {
    const there = held.splice(0);
    atOnce.push(there.length);
    for (const { turn } of there) wait(turn);
    for (const { turn } of there) {
      turn.completed();
      turn.end();
    }
    await settle();
  }
  expect(atOnce.reduce((sum, count) => sum + count)).toBe(16);
  expect(Math.min(...atOnce.slice(0, -1))).toBeGreaterThan(1);
});

test('what it says of a wait counts again once it has begun with a task before that was completed', async () => {
  const { ask, held, settle } = turnsWorld();
  ask('ann', { count: 9 });
  await settle();
  const [first, ...others] = held.splice(0);
  for (const { turn } of others) {
    wait(turn);
    turn.completed();
    turn.end();
  }
  first?.turn.seen('begun');
  first?.turn.end();
  await settle();
  for (const { turn } of held.slice()) wait(turn);
  held.splice(0)[0]?.turn.end();
  await settle();
  expect(held).toEqual([]);
});

test('while one member has 200 pictures waiting, the single one of another member has the next turn', async () => {
  const { ask, names, held, settle } = turnsWorld();
  ask('ann', { count: 200 });
  await settle();
  for (const { turn } of held.slice()) wait(turn);
  ask('bob');
  ask('cid');
  await settle();
  expect(names()).not.toContain('bob');
  for (const { turn } of held.slice()) turn.end();
  await settle();
  held.at(-1)?.turn.end();
  await settle();
  held.at(-1)?.turn.end();
  await settle();
  expect(names().slice(4, 7).toSorted()).toEqual(['ann', 'bob', 'cid']);
});

test('what the service refuses keeps its turn, waits as long as the service asks, and finds out alone whether it may go', async () => {
  const { ask, clock, names, held, settle } = turnsWorld();
  ask('ann', { count: 4 });
  ask('bob', { count: 4 });
  await settle();
  expect(held).toHaveLength(8);
  for (const { turn, name } of held.splice(0)) {
    turn.refused(60_000);
    ask(name, { again: true });
  }
  await clock.advance(59_000);
  expect(held).toEqual([]);
  await clock.advance(2_000);
  expect(names()).toHaveLength(1);
  held[0]?.turn.accepted();
  held[0]?.turn.seen('begun');
  await settle();
  expect(names()).toHaveLength(2);
  expect(new Set(names()).size).toBe(2);
});

test('after the last task that the service takes for now, the next one waits as long as it says', async () => {
  const { ask, clock, held, settle } = turnsWorld();
  ask('ann', { shared: false });
  await settle();
  held[0]?.turn.accepted(30_000);
  ask('ann', { shared: false, count: 2 });
  await clock.advance(29_000);
  expect(held).toHaveLength(1);
  await clock.advance(1_000);
  expect(held).toHaveLength(3);
});

test('a service that refuses and does not say for how long is asked ever more rarely', async () => {
  const { ask, clock, held, settle } = turnsWorld();
  ask('ann', { apiKey: 'own', shared: false });
  await settle();
  const refusedAt: number[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    await clock.advance(nth === 0 ? 0 : 10_000);
    refusedAt.push(clock.now());
    held.splice(0)[0]?.turn.refused(undefined);
    ask('ann', { apiKey: 'own', shared: false, again: true });
  }
  await settle();
  expect(clock.sleeps.filter((ms) => ms >= 1_000 && ms !== 2_000)).toEqual([
    1_500, 3_000, 4_000, 4_000, 4_000,
  ]);
});

test('who waits hears at which position, and again as it changes', async () => {
  const { ask, clock, held, positions } = turnsWorld();
  ask('ann', { count: 4 });
  await clock.advance(0);
  for (const { turn } of held) wait(turn);
  ask('ann', { count: 3 });
  ask('bob');
  await clock.advance(300);
  expect(positions.get('bob')).toBe(2);
  for (const { turn } of held.splice(0)) turn.end();
  await clock.advance(2_100);
  expect(positions.get('bob')).toBe(1);
});

test('a wait that is aborted ends at once, and one that lasts too long says so', async () => {
  const { ask, clock, held, failed, keyTurns } = turnsWorld();
  ask('ann', { count: 4 });
  await clock.advance(0);
  for (const { turn } of held) wait(turn);
  const stopped = new AbortController();
  ask('bob', { signal: stopped.signal });
  ask('cid');
  stopped.abort(new Error('stopped'));
  await clock.advance(0);
  expect(failed).toEqual([new Error('stopped')]);
  expect(keyTurns.waiting()).toBe(1);
  await clock.advance(HOUR_MS + 3_000);
  expect(failed[1]).toBeInstanceOf(NoTurnError);
  expect(keyTurns.waiting()).toBe(0);
});

test('every task has its turn once, and none starves, whatever the service says of them', async () => {
  const answer = fc.constantFrom('begun', 'pending', 'refused', 'ended');
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ name: fc.constantFrom('ann', 'bob', 'cid'), count: fc.integer({ min: 1, max: 8 }) }),
        {
          maxLength: 8,
        },
      ),
      fc.array(answer, { maxLength: 60 }),
      async (requests, answers) => {
        const { ask, clock, held, failed, keyTurns } = turnsWorld();
        for (const request of requests)
          ask(request.name, { ...request, guild: request.name === 'cid' ? 'b' : 'a' });
        const wanted = requests.reduce((sum, { count }) => sum + count, 0);
        let ended = 0;
        const say = (said: string, nth: number) => {
          const [one] = held.splice(nth % held.length, 1);
          if (!one) return;
          if (said === 'refused') {
            one.turn.refused(5_000);
            ask(one.name, { guild: one.name === 'cid' ? 'b' : 'a', again: true });
          } else {
            one.turn.accepted();
            if (said === 'ended') {
              one.turn.end();
              ended += 1;
            } else {
              one.turn.seen(said === 'begun' ? 'begun' : 'pending');
              held.push(one);
            }
          }
        };
        await clock.advance(0);
        for (const [nth, said] of answers.entries()) {
          say(said, nth);
          await clock.advance(1_000);
        }
        for (let left = 0; left < 4 * wanted && ended < wanted; left += 1) {
          say('ended', 0);
          await clock.advance(10_000);
        }
        expect(failed).toEqual([]);
        expect(ended).toBe(wanted);
        expect(keyTurns.waiting()).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test('after one refusal short tasks are soon as many at once as before', async () => {
  const { ask, held, settle, clock } = turnsWorld();
  ask('ann', { count: 41, shared: false });
  await settle();
  const [refused, ...others] = held.splice(0);
  for (const { turn } of others) turn.end();
  refused?.turn.refused(undefined);
  ask('ann', { count: 40, shared: false });
  let rounds = 0;
  for (let ended = 0; ended < 40; rounds += 1) {
    await clock.advance(3_000);
    const running = held.splice(0);
    ended += running.length;
    for (const { turn } of running) turn.accepted();
    for (const { turn } of running) turn.end();
    expect(rounds).toBeLessThan(10);
  }
});

test('a service that asks to be left alone for years is asked again after five minutes', async () => {
  const { ask, held, clock, settle } = turnsWorld();
  ask('ann');
  await settle();
  held.splice(0)[0]?.turn.refused(5 * 365 * DAY_MS);
  ask('ann', { again: true });
  await clock.advance(4 * 60_000);
  expect(held).toHaveLength(0);
  await clock.advance(60_000);
  expect(held).toHaveLength(1);
});
