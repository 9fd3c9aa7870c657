import { createDeferred } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoom } from '../../src/inputs/room.ts';

const ROOM = { ofAccount: 5, ofAll: 12 };

/** Works that come in one after the other, each held up until the test lets it go. */
function visits() {
  const inRoom = createRoom(ROOM);
  const inside: { account: number; share: number; leave(): Promise<void> }[] = [];
  const taken = (account?: number) =>
    inside
      .filter((one) => account === undefined || one.account === account)
      .reduce((sum, { share }) => sum + share, 0);
  return {
    taken,
    /** Whether there was room. */
    async enter(account: number, share: number): Promise<boolean> {
      const left = createDeferred<void>();
      const entered = createDeferred<boolean>();
      const ended = inRoom(account, share, () => {
        entered.resolve(true);
        return left.promise;
      });
      ended.catch(() => entered.resolve(false));
      if (!(await entered.promise)) {
        await expect(ended).rejects.toMatchObject({ code: 'rate_limited' });
        return false;
      }
      const visit = {
        account,
        share,
        async leave() {
          inside.splice(inside.indexOf(visit), 1);
          left.resolve();
          await ended;
        },
      };
      inside.push(visit);
      return true;
    },
    leave: async (which: number) => inside[which % Math.max(inside.length, 1)]?.leave(),
  };
}

const steps = fc.array(
  fc.oneof(
    fc.record({ account: fc.nat(4), share: fc.integer({ min: 1, max: ROOM.ofAccount }) }),
    fc.record({ leaving: fc.nat() }),
  ),
  { maxLength: 60 },
);

test('however pictures come and go, they stay within the room, and who fits into it is let in', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { enter, leave, taken } = visits();
      for (const step of all) {
        if ('leaving' in step) {
          await leave(step.leaving);
          continue;
        }
        const { account, share } = step;
        const fits = taken() + share <= ROOM.ofAll && taken(account) + share <= ROOM.ofAccount;
        expect(await enter(account, share)).toBe(fits);
      }
    }),
  );
});
