import { createDeferred } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoom } from '../../src/inputs/room.ts';

const ROOM = { ofAccount: 5, ofAll: 12 };

interface Visit {
  account: number;
  share: number;
  leave(): Promise<void>;
}

/** Works that come in one after the other, each held up until the test lets it go or the room turns it out. */
function visits() {
  const inRoom = createRoom(ROOM);
  let inside: Visit[] = [];
  let turnedOut: number[] = [];
  const remove = (visit: Visit) => {
    inside = inside.filter((one) => one !== visit);
  };
  return {
    taken: (account?: number): number =>
      inside
        .filter((one) => account === undefined || one.account === account)
        .reduce((sum, { share }) => sum + share, 0),
    /** Whether there was room, and the accounts of which something was turned out for it. */
    async enter(account: number, share: number): Promise<{ entered: boolean; turnedOut: number[] }> {
      turnedOut = [];
      const entered = await new Promise<boolean>((resolve) => {
        const ended = inRoom(account, share, ({ signal }) => {
          resolve(true);
          return new Promise<void>((leave, end) => {
            const visit: Visit = {
              ...{ account, share },
              async leave() {
                remove(visit);
                leave();
                await ended;
              },
            };
            inside.push(visit);
            signal.addEventListener('abort', () => {
              remove(visit);
              turnedOut.push(account);
              end(signal.reason);
            });
          });
        });
        ended.catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '3' } });
          resolve(false);
        });
      });
      return { entered, turnedOut };
    },
    leave: async (which: number) => inside[which % Math.max(inside.length, 1)]?.leave(),
  };
}

const ACCOUNTS = [0, 1, 2, 3, 4];
const steps = fc.array(
  fc.oneof(
    fc.record({ account: fc.constantFrom(...ACCOUNTS), share: fc.integer({ min: 1, max: ROOM.ofAccount }) }),
    fc.record({ leaving: fc.nat() }),
  ),
  { maxLength: 60 },
);

test('however pictures come and go, they stay within the room, and who has least of it is let in', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { enter, leave, taken } = visits();
      for (const step of all) {
        if ('leaving' in step) {
          await leave(step.leaving);
          continue;
        }
        const { account, share } = step;
        const before = ACCOUNTS.map(taken);
        const own = taken(account) + share;
        const isFree = taken() + share <= ROOM.ofAll;
        const most = Math.max(...before);
        const { entered, turnedOut } = await enter(account, share);

        expect(taken()).toBeLessThanOrEqual(ROOM.ofAll);
        expect(Math.max(...ACCOUNTS.map(taken))).toBeLessThanOrEqual(ROOM.ofAccount);
        if (own > ROOM.ofAccount || (!isFree && most <= own)) expect(entered).toBe(false);
        else if (isFree || share === 1) expect(entered).toBe(true);
        if (isFree || !entered) expect(turnedOut).toEqual([]);
        expect(turnedOut.filter((out) => (before[out] ?? 0) <= own)).toEqual([]);
      }
    }),
  );
});

test('who is let in instead of another begins once nothing of that one is left', async () => {
  const inRoom = createRoom({ ofAccount: 2, ofAll: 2 });
  const happened: string[] = [];
  const begun = createDeferred<void>();
  const held = inRoom(1, 2, async ({ signal }) => {
    begun.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    happened.push('the first has ended');
  });
  await begun.promise;
  await inRoom(2, 1, async () => void happened.push('the second begins'));
  await held;
  expect(happened).toEqual(['the first has ended', 'the second begins']);
});

test('nobody is let in instead of what remains', async () => {
  const inRoom = createRoom({ ofAccount: 2, ofAll: 2 });
  const [remaining, leaving] = [createDeferred<void>(), createDeferred<void>()];
  const held = inRoom(1, 2, async ({ remain }) => {
    remain();
    remaining.resolve();
    await leaving.promise;
  });
  await remaining.promise;
  await expect(inRoom(2, 1, async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
  leaving.resolve();
  await held;
  expect(await inRoom(2, 1, async () => 'in')).toBe('in');
});
