import { createVault } from '@darkroom/storage';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createCredentials, UnusableKeyError } from '../../src/credentials/credentials.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import type { Store } from '../../src/storage/store.ts';
import { createStoreWorld } from '../support/store.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);
const MEMBER: KeyOwner = { kind: 'member', id: '200000000000000001' };
const GUILD: KeyOwner = { kind: 'guild', id: '300000000000000001' };
const CALLER = { member: MEMBER, guildId: GUILD.id, roles: [], serverHasApp: async () => true };

const keyOf = (digit: string) => `sk-${digit.repeat(48)}`;
const linking = (apiKey: string) => ({ apiKey, username: 'ada', visibleIn: [] });

/** Credentials on a real store; `open` opens them again with other keys of the vault, as after a rotation. */
async function createCredentialsWorld({ operatorKey }: { operatorKey?: string } = {}) {
  const world = await createStoreWorld();
  const clock = createFakeClock();
  const open = (keys: [string, ...string[]], store: Store = world.store) =>
    createCredentials({ store, vault: createVault(keys), clock, log: world.log, operatorKey });
  const rows = async () => JSON.stringify(await world.sql("SELECT * FROM bot_rows WHERE key LIKE 'keys:%'"));
  return { ...world, clock, open, rows, credentials: open([OLD]) };
}

test("the member's key pays, else the server's, else the operator's, else none", async () => {
  const { credentials } = await createCredentialsWorld({ operatorKey: keyOf('0') });
  await credentials.link(MEMBER, linking(keyOf('1')));
  await credentials.link(GUILD, linking(keyOf('2')));
  expect(await credentials.resolve(CALLER)).toEqual({ apiKey: keyOf('1'), payer: MEMBER });
  await credentials.unlink(MEMBER);
  expect(await credentials.resolve(CALLER)).toEqual({ apiKey: keyOf('2'), payer: GUILD });
  await credentials.unlink(GUILD);
  expect(await credentials.resolve(CALLER)).toEqual({ apiKey: keyOf('0'), payer: { kind: 'operator' } });
  const { credentials: without } = await createCredentialsWorld();
  expect(await without.resolve(CALLER)).toBeUndefined();
});

test('a member and a server of the same id have keys of their own', async () => {
  const { credentials } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(keyOf('1')));
  expect(await credentials.open({ kind: 'guild', id: MEMBER.id })).toBeUndefined();
});

test('what is stored holds no key, and what is shown holds its last four characters', async () => {
  const { credentials, rows, clock } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(`sk-${'0'.repeat(44)}beef`));
  expect(await credentials.describe(MEMBER)).toMatchObject({
    tail: 'beef',
    username: 'ada',
    linkedAt: clock.now(),
  });
  expect(await rows()).toContain('beef');
  expect(await rows()).not.toMatch(/sk-|0{44}/);
});

test('a new key replaces the old one', async () => {
  const { credentials } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(keyOf('1')));
  await credentials.link(MEMBER, { ...linking(keyOf('2')), visibleIn: [GUILD.id] });
  expect(await credentials.open(MEMBER)).toMatchObject({ apiKey: keyOf('2') });
  expect(await credentials.describe(MEMBER)).toMatchObject({ tail: '2222', visibleIn: [GUILD.id] });
});

test('a key that others link and unlink all the time is given up', async () => {
  const { open, store } = await createCredentialsWorld();
  // Somebody else has just linked one, which is gone when it is looked at.
  const credentials = open([OLD], { ...store, insert: async () => false });
  await expect(credentials.link(MEMBER, linking(keyOf('1')))).rejects.toThrow(
    `no key could be linked for member:${MEMBER.id}`,
  );
});

test('a name that is learnt later is added to the key it belongs to, and to no other', async () => {
  const { credentials } = await createCredentialsWorld();
  const nameless = await credentials.link(MEMBER, { ...linking(keyOf('1')), username: undefined });
  await credentials.setUsername(MEMBER, nameless, 'ada');
  expect(await credentials.open(MEMBER)).toMatchObject({ apiKey: keyOf('1'), username: 'ada' });
  await credentials.link(MEMBER, { ...linking(keyOf('2')), username: 'grace' });
  await credentials.setUsername(MEMBER, nameless, 'ada');
  expect(await credentials.open(MEMBER)).toMatchObject({ apiKey: keyOf('2'), username: 'grace' });
  await credentials.unlink(MEMBER);
  await credentials.setUsername(MEMBER, nameless, 'ada');
  expect(await credentials.describe(MEMBER)).toBeUndefined();
});

test('of a long name of an account as much is kept by either way, and that is what is shown', async () => {
  const { credentials } = await createCredentialsWorld();
  const username = 'a'.repeat(1_000);
  const kept = { username: 'a'.repeat(100) };
  expect(await credentials.link(MEMBER, { ...linking(keyOf('1')), username })).toMatchObject(kept);
  const nameless = await credentials.link(MEMBER, { ...linking(keyOf('2')), username: undefined });
  expect(await credentials.setUsername(MEMBER, nameless, username)).toMatchObject(kept);
  expect(await credentials.describe(MEMBER)).toMatchObject(kept);
});

test('after a rotation a key is sealed anew the first time it is used', async () => {
  const { credentials, open } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(keyOf('1')));
  await expect(open([NEW]).open(MEMBER)).rejects.toThrow(UnusableKeyError);
  expect(await open([NEW, OLD]).open(MEMBER)).toMatchObject({ apiKey: keyOf('1') });
  expect(await open([NEW]).open(MEMBER)).toMatchObject({ apiKey: keyOf('1') });
});

test.each([MEMBER, GUILD])(
  'a key of a $kind whose seal cannot be opened is reported, and nobody else pays for its owner',
  async (owner) => {
    const { credentials, open, logged } = await createCredentialsWorld({ operatorKey: keyOf('0') });
    await credentials.link(owner, linking(keyOf('1')));
    await expect(open([NEW]).resolve(CALLER)).rejects.toMatchObject({ name: 'UnusableKeyError', owner });
    expect(logged).toMatchObject([{ level: 50, owner: `${owner.kind}:${owner.id}` }]);
  },
);

test('shared keys pay only where the server has the app, and nobody is asked where a member pays', async () => {
  const { credentials } = await createCredentialsWorld({ operatorKey: keyOf('0') });
  await credentials.link(GUILD, linking(keyOf('2')));
  const outside = { ...CALLER, serverHasApp: async () => false };
  expect(await credentials.resolve(outside)).toBeUndefined();
  expect(await credentials.resolve({ ...outside, guildId: null })).toBeUndefined();
  await credentials.link(MEMBER, linking(keyOf('1')));
  const unasked = { ...CALLER, serverHasApp: () => Promise.reject(new Error('asked')) };
  expect(await credentials.resolve(unasked)).toMatchObject({ payer: MEMBER });
});

test('a key that was rejected pays nothing, and nobody else in its place, until it is accepted or linked again', async () => {
  const { credentials } = await createCredentialsWorld({ operatorKey: keyOf('0') });
  await credentials.link(MEMBER, linking(keyOf('1')));
  await credentials.noteUse(MEMBER, keyOf('9'), 'rejected');
  expect(await credentials.resolve(CALLER)).toMatchObject({ payer: MEMBER });
  await credentials.noteUse(MEMBER, keyOf('1'), 'rejected');
  await expect(credentials.resolve(CALLER)).rejects.toMatchObject({ why: 'rejected', owner: MEMBER });
  expect(await credentials.resolve(CALLER, { evenRejected: true })).toMatchObject({ payer: MEMBER });
  await credentials.noteUse(MEMBER, keyOf('1'), 'accepted');
  expect(await credentials.resolve(CALLER)).toMatchObject({ payer: MEMBER });
  await credentials.noteUse({ kind: 'operator' }, keyOf('0'), 'rejected');
});

test('a key that is unlinked while something is noted of it does not come back', async () => {
  const { credentials } = await createCredentialsWorld();
  for (let nth = 0; nth < 20; nth++) {
    const { linkedAt } = await credentials.link(MEMBER, linking(keyOf('1')));
    await Promise.all([
      credentials.noteUse(MEMBER, keyOf('1'), 'rejected'),
      credentials.setVisible(MEMBER.id, GUILD.id, { linkedAt }),
      credentials.unlink(MEMBER),
    ]);
    expect(await credentials.describe(MEMBER)).toBeUndefined();
  }
});

test('terms that are set while a key of the server is linked hold for that key', async () => {
  const { credentials } = await createCredentialsWorld();
  for (let nth = 0; nth < 20; nth++) {
    await credentials.link(GUILD, linking(keyOf('1')));
    const terms = { roleId: `${nth}`, picturesPerMember: nth };
    const [linked] = await Promise.all([
      credentials.link(GUILD, linking(keyOf('2'))),
      credentials.setTerms(GUILD.id, terms),
    ]);
    expect(linked.tail).toBe('2222');
    expect(await credentials.describe(GUILD)).toMatchObject({ tail: '2222', terms });
  }
});

test('of two keys that are linked at once as the first the later one stays', async () => {
  const { credentials } = await createCredentialsWorld();
  await Promise.all(['1', '2'].map((digit) => credentials.link(GUILD, linking(keyOf(digit)))));
  expect(await credentials.open(GUILD)).toMatchObject({ apiKey: keyOf('2') });
});

test('a row that was moved to another owner does not open there', async () => {
  const { credentials, sql } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(keyOf('1')));
  await sql("UPDATE bot_rows SET key = ? WHERE key LIKE 'keys:%'", `keys:guild:${GUILD.id}`);
  expect(await credentials.describe(GUILD)).toMatchObject({ tail: '1111' });
  await expect(credentials.open(GUILD)).rejects.toThrow(UnusableKeyError);
});

test('a store that fails while a key is sealed anew lets nobody else pay', async () => {
  const { credentials, open, store } = await createCredentialsWorld({ operatorKey: keyOf('0') });
  await credentials.link(MEMBER, linking(keyOf('1')));
  const readOnly: Store = {
    ...store,
    collection: (name, schema) => ({
      ...store.collection(name, schema),
      update: () => Promise.reject(new Error('the disk is full')),
    }),
  };
  await expect(open([NEW, OLD], readOnly).resolve(CALLER)).rejects.toThrow('the disk is full');
});

test('unlinking erases the row, and says whether there was one', async () => {
  const { credentials, sql } = await createCredentialsWorld();
  await credentials.link(MEMBER, linking(keyOf('1')));
  expect(await credentials.unlink(MEMBER)).toBe(true);
  expect(await credentials.unlink(MEMBER)).toBe(false);
  expect(await credentials.describe(MEMBER)).toBeUndefined();
  expect(await sql("SELECT * FROM bot_rows WHERE key LIKE 'keys:%'")).toEqual([]);
});
