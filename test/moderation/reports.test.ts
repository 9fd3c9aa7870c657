import { createDeferred, silentLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import type { BroughtPicture } from '../../src/moderation/brought-picture.ts';
import type { ReportedPicture } from '../../src/moderation/reported-picture.ts';
import { createReports, type Reports } from '../../src/moderation/reports.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import { createStoreWorld } from '../support/store.ts';

const [MAKER, OWNER, ADA, BOB] = ['1', '2', '3', '4'] as const;
const GUILD = '100000000000000001';
const CHANNEL = '400000000000000001';
const BROUGHT = { sha256: 'f0f0', copy: 'UklGRg==' };

const pictureOf = (jobId: string): ReportedPicture => ({
  guildId: GUILD,
  jobId,
  memberId: MAKER,
  posted: { channelId: '5', messageId: jobId },
  broughtBy: OWNER,
});

/** Reports on a real store, and how many copies of brought pictures were made for them. */
async function reportWorld() {
  const { store } = await createStoreWorld();
  const posting = createDeferred<void>();
  const answered = createDeferred<Response>();
  // Discord answers a post as it is told, and knows of nothing else.
  const rest = new REST({
    async makeRequest(_, { method }) {
      if (method !== 'POST') throw new Error('there is nothing');
      posting.resolve();
      return (await answered.promise).clone();
    },
  }).setToken('a token');
  let beforeDeletion = async () => {};
  /** Nothing is deleted from now on until `release` is called. `begun`: something is to be. */
  function holdDeletions() {
    const begun = createDeferred<void>();
    const released = createDeferred<void>();
    beforeDeletion = () => {
      begun.resolve();
      return released.promise;
    };
    return { begun: begun.promise, release: () => released.resolve() };
  }
  const clock = createFakeClock();
  const reports = createReports({
    store: { ...store, delete: (keys) => beforeDeletion().then(() => store.delete(keys)) },
    discord: createMessageApi({ bot: rest, webhooks: rest }),
    knownGuilds: createKnownGuilds({ store }),
    retentionMs: DAY_MS,
    clock,
    log: silentLog(),
  });
  let copies = 0;
  /** Without `channelId` it waits for a moderator. */
  const file = (
    jobId: string,
    reporterId: string,
    {
      brought = BROUGHT,
      channelId,
      ...picture
    }: Partial<ReportedPicture> & {
      brought?: BroughtPicture | Promise<BroughtPicture>;
      channelId?: string | undefined;
    } = {},
  ) =>
    reports.file({
      picture: { ...pictureOf(jobId), ...picture },
      complaint: { reporterId, reason: 'It is rude.' },
      channelId,
      async copy() {
        copies += 1;
        return brought;
      },
      render: () => ({}),
    });
  return {
    reports,
    file,
    copies: () => copies,
    posting: posting.promise,
    answerPost: (answer: Response) => answered.resolve(answer),
    holdDeletions,
  };
}

test('a report whose process dies while it is posted waits for a moderator', async () => {
  const { reports, file, posting } = await reportWorld();
  file('10', ADA, { channelId: CHANNEL }).catch(() => undefined);
  await posting;
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toEqual([{ reporterId: ADA, reason: 'It is rude.' }]);
  expect(open && (await reports.shownWith(open)).brought).toEqual(BROUGHT);
});

const messageOf = (messageId: string) => ({ channelId: CHANNEL, messageId });

/** All messages that are known to show what is reported of this job. */
async function messagesOf(reports: Reports, jobId: string): Promise<string[]> {
  const { posted, alone = [] } = (await reports.reported(GUILD, jobId)) ?? {};
  return [posted, ...alone].flatMap((one) => one?.messageId ?? []).sort();
}

test('what is posted alone while a report is on its way to its channel is known to the report', async () => {
  const { reports, file, posting, answerPost } = await reportWorld();
  const first = file('10', ADA, { channelId: CHANNEL });
  await posting;
  await reports.noteCopy({ guildId: GUILD, jobId: '10' }, messageOf('11'));
  answerPost(Response.json({ id: '20', channel_id: CHANNEL }));
  expect(await first).toBe('filed');
  expect(await reports.open(GUILD)).toEqual([]);
  expect(await messagesOf(reports, '10')).toEqual(['10', '11']);
});

test.each([
  ['in its channel', CHANNEL],
  ['in /moderate reports', undefined],
])('of two who report two messages at once none forgets what the other has: %s', async (_, channelId) => {
  const { reports, file, answerPost } = await reportWorld();
  answerPost(Response.json({ id: '20', channel_id: CHANNEL }));
  const filed = [
    file('10', ADA, { channelId, posted: messageOf('11') }),
    file('10', BOB, { channelId, posted: messageOf('12'), alone: [messageOf('13')] }),
  ];
  expect(await Promise.all(filed)).toEqual(['filed', 'filed']);
  expect(await messagesOf(reports, '10')).toEqual(['11', '12', '13']);
});

test('of what a picture was made from one copy is kept, however many complain of it', async () => {
  const { reports, file, copies } = await reportWorld();
  expect([await file('10', ADA), await file('10', BOB)]).toEqual(['filed', 'filed']);
  expect(copies()).toBe(1);
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toHaveLength(2);
  expect(open && (await reports.shownWith(open)).brought).toEqual(BROUGHT);
  await reports.close(GUILD, '10');
  expect(await reports.broughtBy(OWNER)).toEqual([]);
});

test('a copy that could not be made for the first who complains is made for the next', async () => {
  const { reports, file } = await reportWorld();
  const kept = async () => (await reports.broughtBy(OWNER)).map(({ copy }) => copy);
  await file('10', ADA, { brought: { sha256: BROUGHT.sha256 } });
  expect(await kept()).toEqual([undefined]);
  await file('10', BOB);
  expect(await kept()).toEqual([BROUGHT.copy]);
  await file('10', MAKER, { brought: {} });
  expect(await kept()).toEqual([BROUGHT.copy]);
});

test('what is refused anyway is not fetched and decoded', async () => {
  const { file, copies } = await reportWorld();
  await file('10', ADA);
  expect(await file('10', ADA)).toBe('known');
  for (let nth = 11; nth < 20; nth += 1) await file(`${nth}`, ADA);
  expect(await file('20', ADA)).toBe('full');
  expect(copies()).toBe(10);
});

test('a report that its channel refuses does not count among those of the hour', async () => {
  const { file, answerPost } = await reportWorld();
  answerPost(Response.json({ code: 50_001, message: 'Missing Access' }, { status: 403 }));
  for (let nth = 10; nth < 20; nth += 1)
    expect(await file(`${nth}`, ADA, { channelId: CHANNEL })).toBe('refused');
  expect(await file('20', ADA)).toBe('filed');
});

test('who had brought a picture takes it back, and the complaint stays', async () => {
  const { reports, file } = await reportWorld();
  await file('10', ADA);
  expect(await reports.broughtBy(OWNER)).toEqual([{ guildId: GUILD, jobId: '10', ...BROUGHT }]);
  await reports.eraseMember(OWNER);
  expect(await reports.broughtBy(OWNER)).toEqual([]);
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toEqual([{ reporterId: ADA, reason: 'It is rude.' }]);
  expect(open?.broughtBy).toBeUndefined();
});

test.each([
  ['arrives in its channel', 'filed', Response.json({ id: '20', channel_id: CHANNEL })],
  ['does not', 'refused', Response.json({ code: 50_001, message: 'Missing Access' }, { status: 403 })],
])(
  'who complains while the complaint of another is posted keeps the copy, where that %s',
  async (_, result, answer) => {
    const { reports, file, posting, answerPost } = await reportWorld();
    const first = file('10', ADA, { channelId: CHANNEL });
    await posting;
    expect(await file('10', BOB)).toBe('filed');
    answerPost(answer);
    expect(await first).toBe(result);
    const [open] = await reports.open(GUILD);
    expect(open?.complaints).toEqual([{ reporterId: BOB, reason: 'It is rude.' }]);
    expect(open && (await reports.shownWith(open)).brought).toEqual(BROUGHT);
    await reports.close(GUILD, '10');
    expect(await reports.broughtBy(OWNER)).toEqual([]);
  },
);

test('who complains while a moderator closes the other complaints keeps the copy', async () => {
  const { reports, file, holdDeletions } = await reportWorld();
  await file('10', ADA);
  const { begun, release } = holdDeletions();
  const closed = reports.close(GUILD, '10');
  await begun;
  await file('10', BOB);
  release();
  await closed;
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toEqual([{ reporterId: BOB, reason: 'It is rude.' }]);
  expect(open && (await reports.shownWith(open)).brought).toEqual(BROUGHT);
});

test('who takes back a picture while it is copied for a complaint has none of it kept', async () => {
  const { reports, file, copies } = await reportWorld();
  const copied = createDeferred<BroughtPicture>();
  const filed = file('10', ADA, { brought: copied.promise });
  await expect.poll(copies).toBe(1);
  await reports.eraseMember(OWNER);
  copied.resolve(BROUGHT);
  expect(await filed).toBe('filed');
  expect(await reports.broughtBy(OWNER)).toEqual([]);
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toEqual([{ reporterId: ADA, reason: 'It is rude.' }]);
  expect(open?.broughtBy).toBeUndefined();
});

test('the copy goes with the last who complained, also where they erase what is kept of them', async () => {
  const { reports, file } = await reportWorld();
  await file('10', ADA);
  await file('10', BOB);
  await reports.eraseMember(ADA);
  expect(await reports.broughtBy(OWNER)).toHaveLength(1);
  await reports.eraseMember(BOB);
  expect(await reports.broughtBy(OWNER)).toEqual([]);
});
