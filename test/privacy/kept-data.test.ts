import { createImageClient } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { NOWHERE, silentLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../commands/index.ts';
import { openLocalDiscord } from '../../packages/local-discord/test/support/open-local-discord.ts';
import { createBot } from '../../src/app/bot.ts';
import { createRecords } from '../../src/app/records.ts';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import { type KeptDataDependencies, keptData } from '../../src/privacy/kept-data.ts';
import { createPrivacy } from '../../src/privacy/privacy.ts';
import type { Store } from '../../src/storage/store.ts';
import { describeEachStore } from '../support/each-store.ts';
import { aJob, CALLED_BY, TASKS } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const MEMBER = CALLED_BY.member.id;
const GUILD = CALLED_BY.guildId;
const OTHER_GUILD = '300000000000000002';
const MODERATOR = '200000000000000077';
const API_KEY = `sk-${'5'.repeat(48)}`;
const SECRETS = { apiKey: API_KEY, interactionToken: 'a token' };

/** Collections that name a member who has erased everything. */
const OUTLIVE = ['audit', 'audit-members', 'blocked', 'open-reports', 'posted-reports'];

/** Collections whose rows lie apart. */
const APART = new Set(['pictures', 'graphs']);

/** What the bot keeps, in one store. */
function recordsIn(store: Store) {
  const rest = new REST();
  const clock = createFakeClock();
  const records = createRecords({
    store,
    vault: createVault(['ab'.repeat(32)]),
    operator: {},
    discord: { messages: createMessageApi({ bot: rest, webhooks: rest }) },
    clock,
    log: silentLog(),
  });
  // Nothing runs here.
  return { ...records, eraseIdle: records.jobs.erase };
}

/** A store, and how many rows of it were read. */
function countingReads(store: Store) {
  let read = 0;
  const counted = <Rows>(rows: Rows): Rows => {
    read += Array.isArray(rows) ? rows.length : 1;
    return rows;
  };
  const reading: Store = {
    ...store,
    collection(name, schema, options) {
      const collection = store.collection(name, schema, options);
      return {
        ...collection,
        get: async (id) => counted(await collection.get(id)),
        getMany: async (ids) => counted(await collection.getMany(ids)),
        list: async (listed) => counted(await collection.list(listed)),
      };
    },
  };
  return { reading, rowsRead: () => read };
}

const collectionsOf = (parts: KeptDataDependencies) =>
  Object.values(keptData(parts)).flatMap(({ collections }) => collections);

test('of every collection that the bot opens it is said whose it is', async () => {
  const { store, folder, log } = await createStoreWorld();
  const opened = new Set<string>();
  const watched: Store = {
    ...store,
    collection(name, schema, options) {
      opened.add(name);
      return store.collection(name, schema, options);
    },
  };
  const images = createImageClient({ baseUrl: NOWHERE });
  const { discord, address } = await openLocalDiscord();
  const bot = await createBot({
    commands,
    discord: { token: discord.token(), apiUrl: address.apiUrl },
    storage: { store: watched, vault: createVault(['ab'.repeat(32)]), spoolFolder: `${folder}/spool` },
    service: { client: images, name: NOWHERE, callsPerSecond: 50 },
    clock: createFakeClock(),
    log,
  });
  await bot.start();
  await bot.stop();
  await images.close();
  expect([...opened].toSorted()).toEqual(collectionsOf(recordsIn(store)).toSorted());
});

test('of a store nothing is handed on but what reads and forgets', async () => {
  const { store } = await createStoreWorld();
  const handedOn = Object.values(keptData(recordsIn(store))).flatMap((part) => Object.keys(part));
  expect([...new Set(handedOn)].toSorted()).toEqual([
    'collections',
    'eraseMember',
    'guildIds',
    'ofMember',
    'purgeGuild',
  ]);
});

describeEachStore((open) => {
  /** Everything is kept of a member and of a server that there can be. */
  async function filledWorld() {
    const parts = recordsIn(await open());
    const { store, jobs, auditLog, credentials, guildSettings, blockedMembers, keptGraphs } = parts;
    const over = aJob({ id: '100000000000000001', state: 'delivered' });
    const waiting = aJob({ id: '100000000000000002', state: 'waiting', secrets: SECRETS });
    await jobs.saveAndSettle(over);
    await jobs.saveAndSettle(waiting);
    await jobs.savePictures(waiting, [{ bytes: new Uint8Array([1]), contentType: 'image/png', task: 0 }]);
    for (const owner of [
      { kind: 'member', id: MEMBER },
      { kind: 'guild', id: GUILD },
    ] as const) {
      await credentials.link(owner, { apiKey: API_KEY, username: 'ada', visibleIn: [] });
    }
    await auditLog.record({
      guildId: GUILD,
      actorId: MODERATOR,
      event: 'credits-viewed',
      memberId: MEMBER,
    });
    await keptGraphs.save(GUILD, {
      name: 'poster',
      nodes: { 1: { class_type: 'KSampler', inputs: {} } },
      uses: [],
    });
    await guildSettings.change(GUILD, (settings) => ({ ...settings, paused: true }));
    await blockedMembers.block(GUILD, MEMBER, { by: MODERATOR });
    const filed = { guildId: GUILD, at: 1 };
    await store.collection('reports', z.unknown()).set(`${MEMBER}:${over.id}`, filed);
    // What MEMBER reported of others' pictures, and others of MEMBER's.
    const complaint = { posted: { channelId: over.channelId, messageId: '1' }, reason: 'It is rude.' };
    const waitingReports = store.collection('open-reports', z.unknown());
    await waitingReports.set(`${GUILD}:${over.id}:${MEMBER}`, { ...complaint, memberId: MODERATOR });
    const brought = { ...complaint, memberId: MODERATOR, broughtBy: MEMBER };
    await waitingReports.set(`${GUILD}:${waiting.id}:${MODERATOR}`, brought);
    const theirs = { posted: complaint.posted, memberId: MEMBER };
    await waitingReports.set(`${GUILD}:${over.id}:${MODERATOR}`, { ...theirs, reason: 'It is ruder.' });
    await store.collection('posted-reports', z.unknown()).set(`${GUILD}:${over.id}`, theirs);
    const input = { sha256: 'f0f0', copy: 'UklGRg==' };
    await store.collection('reported-inputs', z.unknown()).set(`${MEMBER}:${GUILD}:${waiting.id}`, input);
    await store.collection('set-aside', z.unknown()).set('jobs:damaged', { member: MEMBER, guild: GUILD });

    /** Names of the collections in which this text stands anywhere. */
    async function holding(text: string): Promise<string[]> {
      const found: string[] = [];
      for (const name of collectionsOf(parts)) {
        const listed = await store.collection(name, z.unknown(), { pictures: APART.has(name) }).list();
        if (JSON.stringify(listed).includes(text)) found.push(name);
      }
      return found.toSorted();
    }
    return { ...parts, privacy: createPrivacy(parts), holding };
  }

  test('a member can read everything that is kept of them, and no secret', async () => {
    const { privacy } = await filledWorld();
    const exported = await privacy.exportMember(MEMBER);
    expect(exported).toMatchObject({
      key: { tail: '5555', username: 'ada' },
      jobs: [{ id: '100000000000000002' }, { id: '100000000000000001', submission: { prompt: 'a red fox' } }],
      auditLog: [{ event: 'credits-viewed', actorId: MODERATOR }],
      blocks: [{ guildId: GUILD, by: MODERATOR }],
      reports: [{ jobId: '100000000000000001', guildId: GUILD, reason: 'It is rude.' }],
      reportedInputs: [{ jobId: '100000000000000002', guildId: GUILD, sha256: 'f0f0', copy: 'UklGRg==' }],
    });
    const text = JSON.stringify(exported);
    for (const secret of [API_KEY, SECRETS.interactionToken, 'sealed']) expect(text).not.toContain(secret);
  });

  test('who had brought or posted what a member began with is told to nobody', async () => {
    const { jobs, drafts, privacy } = await filledWorld();
    const input = { name: 'upload:1', broughtBy: MODERATOR, postedBy: MODERATOR };
    await jobs.saveAndSettle(aJob({ id: '100000000000000003', state: 'delivered', input }));
    const source = { operation: 'edit', input } as const;
    await drafts.put('100000000000000004', MEMBER, { options: { prompt: 'a red fox', source } });
    const { jobs: told, drafts: kept } = await privacy.exportMember(MEMBER);
    expect(JSON.stringify([told, kept]).match(/upload:1/g)).toHaveLength(2);
    expect(JSON.stringify([told, kept])).not.toContain(MODERATOR);
  });

  test('who erases everything is found NOWHERE but in the records of the server and of its moderators', async () => {
    const { privacy, holding, usage } = await filledWorld();
    expect(await holding(MEMBER)).toEqual(
      [
        'audit',
        'audit-members',
        'blocked',
        'jobs',
        'keys',
        'members',
        'open-reports',
        'posted-reports',
        'reported-inputs',
        'reports',
        'set-aside',
        'unfinished',
        'usage',
      ].toSorted(),
    );
    expect(await privacy.exportMember(MEMBER)).toMatchObject({
      usage: expect.arrayContaining([expect.objectContaining({ guildId: GUILD, memberId: MEMBER })]),
    });
    expect(await privacy.eraseMember(MEMBER)).toMatchObject({ running: 0 });
    expect(await holding(MEMBER)).toEqual(OUTLIVE);
    expect(await holding('100000000000000002')).toEqual(['open-reports', 'usage']);
    expect((await usage.month(GUILD, '2026-01')).total.pictures).toBe(2);
    expect(await privacy.exportMember(MEMBER)).toMatchObject({ key: null, jobs: [], auditLog: [] });
  });

  test('a model that a member has typed is offered to nobody once they have erased everything', async () => {
    const { privacy, store, jobs, knownModels, holding } = await filledWorld();
    const typed = [
      [MEMBER, 'adas-name.safetensors'],
      [MODERATOR, 'shared.safetensors'],
    ] as const;
    for (const [nth, [id, model]] of typed.entries()) {
      const member = { ...CALLED_BY.member, id };
      const submission = { prompt: 'a red fox', model };
      const job = aJob({ id: `10000000000000001${nth}`, guildId: OTHER_GUILD, member, submission });
      await jobs.saveAndSettle({ ...job, state: 'delivered' });
      expect(await knownModels.ofMember(id)).toEqual([model]);
      expect(await offered()).toContain(model);
      // What waited may be shown elsewhere later.
      await jobs.saveAndSettle({ ...job, guildId: null, askedIn: OTHER_GUILD, state: 'delivered' });
    }
    function offered() {
      return knownModels.suggest('', { memberId: '200000000000000055', guildId: OTHER_GUILD });
    }
    // As an earlier version kept them.
    const lists = store.collection('models', z.unknown());
    for (const owner of [`member:${MEMBER}`, `guild:${OTHER_GUILD}`]) await lists.set(owner, ['adas-name']);
    await privacy.eraseMember(MEMBER);
    expect(await holding('adas-name')).toEqual([]);
    expect(await offered()).toContain('shared.safetensors');
    expect(await offered()).not.toContain('adas-name.safetensors');
  });

  test('of models that end at once each is known', async () => {
    const { jobs, knownModels } = await filledWorld();
    const ended = ['one.safetensors', 'other.safetensors'].map((model, nth) => {
      const submission = { prompt: 'a red fox', model };
      return aJob({ id: `10000000000000001${nth}`, createdAt: nth, submission, state: 'delivered' });
    });
    await Promise.all(ended.map(jobs.saveAndSettle));
    expect(await knownModels.ofMember(MEMBER)).toEqual(['other.safetensors', 'one.safetensors']);
  });

  test('what still runs is kept, and told', async () => {
    const { privacy, jobs } = await filledWorld();
    const running = aJob({ id: '100000000000000003', tasks: [TASKS.following], secrets: SECRETS });
    await jobs.create(running);
    expect(await privacy.eraseMember(MEMBER)).toMatchObject({ running: 1 });
    expect(await jobs.ofMember(MEMBER)).toEqual([running]);
    await jobs.saveAndSettle({ ...running, state: 'failed' });
    expect(await privacy.eraseMember(MEMBER)).toMatchObject({ running: 0 });
  });

  test('of what ends while its member is erased nothing stays either', async () => {
    const parts = await filledWorld();
    const { jobs, usage, holding } = parts;
    const submission = { prompt: 'a red fox', model: 'adas-name.safetensors' };
    const running = aJob({ id: '100000000000000003', submission, secrets: SECRETS });
    await jobs.create(running);
    const privacy = createPrivacy({
      ...parts,
      jobs: {
        ...jobs,
        async ofMember(memberId) {
          const found = await jobs.ofMember(memberId);
          if (found.some(({ state }) => state === 'developing'))
            await jobs.saveAndSettle({ ...running, state: 'delivered' });
          return found;
        },
      },
    });
    expect(await privacy.eraseMember(MEMBER)).toMatchObject({ running: 0 });
    expect(await holding(MEMBER)).toEqual(OUTLIVE);
    expect(await holding('adas-name')).toEqual([]);
    expect((await usage.month(GUILD, '2026-01')).total.pictures).toBe(3);
  });

  test('what ends after the requests were erased is told as what still runs', async () => {
    const parts = await filledWorld();
    const { jobs, auditLog } = parts;
    const running = aJob({ id: '100000000000000003', secrets: SECRETS });
    await jobs.create(running);
    const privacy = createPrivacy({
      ...parts,
      auditLog: {
        ...auditLog,
        async eraseMember(memberId) {
          await jobs.saveAndSettle({ ...running, state: 'delivered' });
          await auditLog.eraseMember(memberId);
        },
      },
    });
    expect(await privacy.eraseMember(MEMBER)).toMatchObject({ running: 1 });
    expect(await parts.privacy.eraseMember(MEMBER)).toMatchObject({ running: 0 });
  });

  test('of a server that was left nothing stays but what its members asked for', async () => {
    const { privacy, holding } = await filledWorld();
    expect(await privacy.guildIds()).toEqual([GUILD]);
    expect(await holding(GUILD)).toEqual(expect.arrayContaining(['graph-names', 'graphs']));
    await privacy.purgeGuild(GUILD);
    expect(await holding(GUILD)).toEqual(['jobs', 'unfinished']);
    expect(await privacy.guildIds()).toEqual([]);
    await privacy.eraseMember(MEMBER);
    expect(await holding(GUILD)).toEqual([]);
  });

  test('of other servers nothing is read to know the servers there are, to forget one, or to tell a member of blocks', async () => {
    const { store } = await filledWorld();
    const foreign = (name: string, id: string, value: unknown) =>
      store.collection(name, z.unknown()).row(id, value);
    const guilds = Array.from({ length: 1_000 }, (_, nth) => `${300_000_000_000_100_000n + BigInt(nth)}`);
    await store.write(
      guilds.flatMap((guildId) => [
        foreign('reports', `${MODERATOR}:${guildId}`, { guildId, at: 1 }),
        foreign('set-aside', `jobs:${guildId}`, { guildId }),
        foreign('blocked', `${guildId}:${MODERATOR}`, { by: MODERATOR, at: 1 }),
        foreign('guild-settings', guildId, { paused: true }),
      ]),
    );
    const { reading, rowsRead } = countingReads(store);
    const privacy = createPrivacy(recordsIn(reading));
    expect(await privacy.guildIds()).toHaveLength(1_001);
    await privacy.purgeGuild(GUILD);
    await privacy.exportMember(MEMBER);
    expect(rowsRead()).toBeLessThan(50);
    expect(await privacy.guildIds()).toHaveLength(1_000);
    expect(await store.collection('reports', z.unknown()).list()).toHaveLength(1_000);
  });

  test('a server of which something is written while it is forgotten is still known', async () => {
    const parts = await filledWorld();
    const { guildSettings, auditLog, jobs } = parts;
    const privacy = createPrivacy({
      ...parts,
      guildSettings: {
        ...guildSettings,
        async purgeGuild(guildId) {
          await guildSettings.purgeGuild(guildId);
          await jobs.saveAndSettle(aJob({ id: '100000000000000003', state: 'delivered' }));
          await auditLog.record({ guildId, actorId: MODERATOR, event: 'member-unblocked', memberId: MEMBER });
        },
      },
    });
    await privacy.purgeGuild(GUILD);
    expect(await privacy.guildIds()).toEqual([GUILD]);
    await parts.privacy.purgeGuild(GUILD);
    expect(await privacy.guildIds()).toEqual([]);
  });

  test('what concerns others is left as it is', async () => {
    const { privacy, holding } = await filledWorld();
    await privacy.eraseMember(MODERATOR);
    await privacy.purgeGuild('300000000000000099');
    expect(await holding(MEMBER)).toContain('keys');
    expect(await holding(GUILD)).toContain('usage');
  });
});
