import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairOrder, type Waiting } from '../../../src/jobs/service-calls/fair-order.ts';

const entry = fc.record({
  guild: fc.constantFrom('a', 'b', 'c'),
  member: fc.constantFrom('1', '2', '3'),
  askedAt: fc.nat(20),
});
const step = fc.oneof(
  { weight: 5, arbitrary: entry.map((added) => ({ kind: 'add' as const, added })) },
  { weight: 4, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'take and put back' as const }) },
  { weight: 1, arbitrary: fc.nat(99).map((nth) => ({ kind: 'delete' as const, nth })) },
);

/** Takes every step; `onTake` hears what was taken, and what waited with it, `onDelete` what is left. */
function run(
  steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  {
    onTake,
    onDelete,
  }: {
    onTake?: (taken: Waiting, waiting: readonly Waiting[]) => void;
    onDelete?: (waiting: readonly Waiting[]) => void;
  } = {},
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
        onDelete?.(waiting);
      }
    } else {
      const taken = order.take();
      if (!taken) expect(waiting).toEqual([]);
      else if (kind === 'take and put back') {
        order.putBack(taken);
        expect(order.inOrder()[0]?.guild).toBe(taken.guild);
      } else {
        onTake?.(taken, [...waiting]);
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
      /** How many turns each other guild, and each other member of a guild, has had since this one began to wait. */
      const since = new Map<string, Map<string, number>>();
      const forget = (waiting: readonly Waiting[]) => {
        // Who no longer waits begins anew.
        const waits = new Set(waiting.flatMap(({ guild, member }) => [guild, `${guild}:${member}`]));
        for (const waiter of since.keys()) if (!waits.has(waiter)) since.delete(waiter);
      };
      const onTake = (taken: Waiting, waiting: readonly Waiting[]) => {
        const counted = new Set<string>();
        const count = (waiter: string, other: string) => {
          const turns = since.get(waiter) ?? new Map<string, number>();
          since.set(waiter, turns.set(other, (turns.get(other) ?? 0) + 1));
          return turns.get(other) ?? 0;
        };
        const ofGuild = taken.guild;
        const ofMember = `${taken.guild}:${taken.member}`;
        since.delete(ofGuild);
        since.delete(ofMember);
        const others = waiting.filter((one) => one !== taken);
        for (const guild of new Set(others.map(({ guild }) => guild))) {
          if (guild !== taken.guild) expect(count(guild, ofGuild)).toBeLessThanOrEqual(1);
        }
        for (const { guild, member } of others) {
          const waiter = `${guild}:${member}`;
          if (guild === taken.guild && member !== taken.member && !counted.has(waiter)) {
            counted.add(waiter);
            expect(count(waiter, ofMember)).toBeLessThanOrEqual(1);
          }
        }
        forget(others);
      };
      run(steps, { onTake, onDelete: forget });
    }),
  );
});

test('what one member asked for goes by its age, also where it comes later', () => {
  const order = createFairOrder<Waiting>();
  const asked = [30, 10, 20].map((askedAt) => ({ guild: 'a', member: '1', askedAt }));
  for (const one of asked) order.add(one);
  expect(order.inOrder().map(({ askedAt }) => askedAt)).toEqual([10, 20, 30]);
});

test('a single request is next but one, however much another server has waiting', () => {
  const order = createFairOrder<Waiting>();
  for (let askedAt = 0; askedAt < 200; askedAt += 1) order.add({ guild: 'a', member: '1', askedAt });
  order.take();
  order.add({ guild: 'b', member: '2', askedAt: 900 });
  order.add({ guild: 'a', member: '3', askedAt: 901 });
  expect(order.inOrder().slice(0, 4)).toMatchObject([
    { member: '1' },
    { member: '2' },
    { member: '3' },
    { member: '1' },
  ]);
});
