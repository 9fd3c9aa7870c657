import { DAY_MS, HOUR_MS, systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import { createBlockedMembers } from '../../src/guilds/blocked-members.ts';
import { createStoreWorld } from '../support/store.ts';

const GUILD = '400000000000000001';
const MEMBER = '200000000000000001';
const BY = '200000000000000002';

async function blockedMembers() {
  const { store, log } = await createStoreWorld();
  return createBlockedMembers({ store, clock: systemClock, log });
}

test('a block for a day that meets one for good, made at the same moment, does not shorten it', async () => {
  const { block, blockAtLeast, find } = await blockedMembers();
  await block(GUILD, MEMBER, { by: BY, forMs: HOUR_MS });
  await Promise.all([
    blockAtLeast(GUILD, MEMBER, { by: BY, forMs: DAY_MS }),
    block(GUILD, MEMBER, { by: BY }),
  ]);
  const standing = await find(GUILD, MEMBER);
  expect(standing).toMatchObject({ by: BY });
  expect(standing?.until).toBeUndefined();
});

test('of two blocks the longer one stands', async () => {
  const { block, blockAtLeast, find } = await blockedMembers();
  await block(GUILD, MEMBER, { by: BY, forMs: HOUR_MS });
  const until = await blockAtLeast(GUILD, MEMBER, { by: BY, forMs: DAY_MS });
  expect((await find(GUILD, MEMBER))?.until).toBe(until);
  expect(await blockAtLeast(GUILD, MEMBER, { by: BY, forMs: HOUR_MS })).toBeUndefined();
  expect((await find(GUILD, MEMBER))?.until).toBe(until);
});
