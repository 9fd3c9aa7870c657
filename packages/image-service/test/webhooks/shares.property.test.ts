import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShares } from '../../src/webhooks/shares.ts';

const SLOTS = 64;

test('however many accounts hold whatever they may, there is a slot for one more', () => {
  const owner = fc.record({ accountId: fc.integer({ min: 1, max: 40 }), receiver: fc.nat(500).map(String) });
  fc.assert(
    fc.property(fc.array(owner, { maxLength: 300 }), (owners) => {
      const shares = createShares({ clock: createFakeClock(), slots: SLOTS });
      const held = owners.filter(shares.take);
      expect(held.length).toBeLessThan(SLOTS);
      const { accounts, receivers } = shares.busy();
      for (const each of owners)
        expect(
          shares.take(each) && (accounts.includes(each.accountId) || receivers.includes(each.receiver)),
        ).toBe(false);
      for (const each of held) shares.release(each);
      expect(shares.take({ accountId: 99, receiver: 'a stranger' })).toBe(true);
    }),
  );
});

test('a receiver gets more slots while it answers, eight at most, and one again once it does not', () => {
  const shares = createShares({ clock: createFakeClock() });
  const receiver = { accountId: 1, receiver: 'one' };
  const takeAll = () => {
    let taken = 0;
    while (shares.take(receiver)) taken += 1;
    return taken;
  };
  const slots = [];
  for (let answers = 0; answers < 10; answers++) {
    const taken = takeAll();
    slots.push(taken);
    shares.release(receiver, true);
    for (let more = 1; more < taken; more++) shares.release(receiver);
  }
  expect(slots).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8]);
  expect(shares.take(receiver)).toBe(true);
  shares.release(receiver, false);
  expect(takeAll()).toBe(1);
});
