import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairOrder, type Waiting } from '../../src/jobs/fair-order.ts';

const entry = fc.record({
  server: fc.constantFrom('a', 'b', 'c'),
  member: fc.constantFrom('1', '2', '3'),
  askedAt: fc.nat(20),
});
const step = fc.oneof(
  { weight: 5, arbitrary: entry.map((added) => ({ kind: 'add' as const, added })) },
  { weight: 4, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'take and put back' as const }) },
  { weight: 1, arbitrary: fc.nat(99).map((nth) => ({ kind: 'delete' as const, nth })) },
);

/** Takes every step; `onTake` hears what was taken, and what waited with it. */
function run(
  steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  onTake: (taken: Waiting, waiting: readonly Waiting[]) => void = () => undefined,
) {
  const order = createFairOrder<Waiting>();
  const waiting: Waiting[] = [];
  const remove = (gone: Waiting) => waiting.splice(waiting.indexOf(gone), 1);
  for (const { kind, ...one } of steps) {
    if (kind === 'add' && 'added' in one) {
      const added = { ...one.added };
      order.add(added);
      waiting.push(added);
    } else if (kind === 'delete' && 'nth' in one) {
      const gone = waiting[one.nth % waiting.length];
      if (gone) {
        expect(order.delete(gone)).toBe(true);
        expect(order.delete(gone)).toBe(false);
        remove(gone);
      }
    } else {
      const taken = order.take();
      if (!taken) expect(waiting).toEqual([]);
      else if (kind === 'take and put back') {
        order.putBack(taken);
        expect(order.inOrder()[0]?.server).toBe(taken.server);
      } else {
        onTake(taken, [...waiting]);
        remove(taken);
      }
    }
    expect(order.size).toBe(waiting.length);
  }
  return { order, waiting };
}

test('nothing is lost, and nothing comes twice, whatever is added, taken and deleted', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { order, waiting } = run(steps);
      const left = order.inOrder();
      expect(new Set(left)).toEqual(new Set(waiting));
      expect(left).toHaveLength(waiting.length);
      for (const promised of left) expect(order.take()).toBe(promised);
      expect(order.take()).toBeUndefined();
    }),
  );
});

test('no server has two turns while another one waits, and in a server no member', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      /** How many turns each other server, and each other member of a server, has had since this one began to wait. */
      const since = new Map<string, Map<string, number>>();
      run(steps, (taken, waiting) => {
        const counted = new Set<string>();
        const count = (waiter: string, other: string) => {
          const turns = since.get(waiter) ?? new Map<string, number>();
          since.set(waiter, turns.set(other, (turns.get(other) ?? 0) + 1));
          return turns.get(other) ?? 0;
        };
        const ofServer = taken.server;
        const ofMember = `${taken.server}:${taken.member}`;
        since.delete(ofServer);
        since.delete(ofMember);
        const others = waiting.filter((one) => one !== taken);
        for (const server of new Set(others.map(({ server }) => server))) {
          if (server !== taken.server) expect(count(server, ofServer)).toBeLessThanOrEqual(1);
        }
        for (const { server, member } of others) {
          const waiter = `${server}:${member}`;
          if (server === taken.server && member !== taken.member && !counted.has(waiter)) {
            counted.add(waiter);
            expect(count(waiter, ofMember)).toBeLessThanOrEqual(1);
          }
        }
        // Who no longer waits begins anew.
        const waits = new Set(others.flatMap(({ server, member }) => [server, `${server}:${member}`]));
        for (const waiter of since.keys()) if (!waits.has(waiter)) since.delete(waiter);
      });
    }),
  );
});

test('what one member asked for goes by its age, also where it comes later', () => {
  const order = createFairOrder<Waiting>();
  const asked = [30, 10, 20].map((askedAt) => ({ server: 'a', member: '1', askedAt }));
  for (const one of asked) order.add(one);
  expect(order.inOrder().map(({ askedAt }) => askedAt)).toEqual([10, 20, 30]);
});

test('a single request is next but one, however much another server has waiting', () => {
  const order = createFairOrder<Waiting>();
  for (let askedAt = 0; askedAt < 200; askedAt += 1) order.add({ server: 'a', member: '1', askedAt });
  order.take();
  order.add({ server: 'b', member: '2', askedAt: 900 });
  order.add({ server: 'a', member: '3', askedAt: 901 });
  expect(order.inOrder().slice(0, 4)).toMatchObject([
    { member: '1' },
    { member: '2' },
    { member: '3' },
    { member: '1' },
  ]);
});
