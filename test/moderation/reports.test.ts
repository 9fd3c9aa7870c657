import { createDeferred, silentLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import type { BroughtPicture } from '../../src/moderation/brought-picture.ts';
import { createReports, type ReportedPicture } from '../../src/moderation/reports.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import { createStoreWorld } from '../support/store.ts';

const [MAKER, OWNER, ADA, BOB] = ['1', '2', '3', '4'] as const;
const GUILD = '100000000000000001';
const BROUGHT = { sha256: 'f0f0', copy: 'UklGRg==' };

const pictureOf = (jobId: string): ReportedPicture => ({
  guildId: GUILD,
  jobId,
  memberId: MAKER,
  posted: { channelId: '5', messageId: jobId },
  broughtBy: OWNER,
});

/** Reports of a server that keeps them open, and how many copies of brought pictures were made for them. */
async function reportWorld(channelId?: string) {
  const { store } = await createStoreWorld();
  const posting = createDeferred<void>();
  // Discord never answers a post, and knows of nothing else.
  const rest = new REST({
    async makeRequest(_, { method }) {
      if (method !== 'POST') throw new Error('there is nothing');
      posting.resolve();
      return new Promise(() => undefined);
    },
  }).setToken('a token');
  const clock = createFakeClock();
  const reports = createReports({
    store,
    discord: createMessageApi({ bot: rest, webhooks: rest }),
    knownGuilds: createKnownGuilds({ store }),
    retentionMs: DAY_MS,
    clock,
    log: silentLog(),
  });
  let copies = 0;
  const file = (jobId: string, reporterId: string, brought: BroughtPicture = BROUGHT) =>
    reports.file({
      picture: pictureOf(jobId),
      complaint: { reporterId, reason: 'It is rude.' },
      channelId,
      async copy() {
        copies += 1;
        return brought;
      },
      render: () => ({}),
    });
  return { reports, file, copies: () => copies, posting: posting.promise };
}

test('a report whose process dies while it is posted waits for a moderator', async () => {
  const { reports, file, posting } = await reportWorld('400000000000000001');
  file('10', ADA).catch(() => undefined);
  await posting;
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toEqual([{ reporterId: ADA, reason: 'It is rude.' }]);
  expect(open && (await reports.broughtFor(open))).toEqual(BROUGHT);
});

test('of what a picture was made from one copy is kept, however many complain of it', async () => {
  const { reports, file, copies } = await reportWorld();
  expect([await file('10', ADA), await file('10', BOB)]).toEqual(['filed', 'filed']);
  expect(copies()).toBe(1);
  const [open] = await reports.open(GUILD);
  expect(open?.complaints).toHaveLength(2);
  expect(open && (await reports.broughtFor(open))).toEqual(BROUGHT);
  await reports.close(GUILD, '10');
  expect(await reports.broughtBy(OWNER)).toEqual([]);
});

test('a copy that could not be made for the first who complains is made for the next', async () => {
  const { reports, file } = await reportWorld();
  const kept = async () => (await reports.broughtBy(OWNER)).map(({ copy }) => copy);
  await file('10', ADA, { sha256: BROUGHT.sha256 });
  expect(await kept()).toEqual([undefined]);
  await file('10', BOB);
  expect(await kept()).toEqual([BROUGHT.copy]);
  await file('10', MAKER, {});
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
