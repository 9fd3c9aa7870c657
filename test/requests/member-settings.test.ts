import { expect, test } from 'vitest';
import { createMemberSettings } from '../../src/requests/member-settings.ts';
import { createStoreWorld } from '../support/store.ts';

const MEMBER = '200000000000000001';

test('of two changes at the same moment none is lost', async () => {
  const { store } = await createStoreWorld();
  const settings = createMemberSettings({ store });
  await Promise.all([
    settings.change(MEMBER, (before) => ({ ...before, asksPrice: false })),
    settings.change(MEMBER, (before) => ({ ...before, defaults: { count: 2 } })),
  ]);
  expect(await settings.of(MEMBER)).toMatchObject({ asksPrice: false, defaults: { count: 2 } });
});
