import { expect, test } from 'vitest';
import { createDrafts, MOST_DRAFTS } from '../../src/requests/drafts.ts';
import { createStoreWorld } from '../support/store.ts';

const MEMBER = '200000000000000001';
const OTHER = '200000000000000002';

test('of many drafts of a member the oldest go, and those of others stay', async () => {
  const { store, log } = await createStoreWorld();
  const drafts = createDrafts({ store, log });
  const idOf = (nth: number) => `${100_000_000_000_000_000n + BigInt(nth)}`;
  await drafts.put(idOf(0), OTHER, { options: { prompt: 'a blue fox' } });
  for (let nth = 0; nth < MOST_DRAFTS + 5; nth++)
    await drafts.put(idOf(nth), MEMBER, { options: { prompt: `fox ${nth}` } });
  const prompts = async () => (await drafts.ofMember(MEMBER)).map(({ options }) => options.prompt);
  const newest = Array.from({ length: MOST_DRAFTS }, (_, nth) => `fox ${nth + 5}`);
  await expect.poll(prompts).toEqual(newest);
  expect(await drafts.find(idOf(0), OTHER)).toBeDefined();
});
