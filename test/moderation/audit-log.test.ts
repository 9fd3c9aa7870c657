import { captureLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { createFakeClock, createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_GUILD,
  OUTSIDER,
  STAFF_CHANNEL,
  sees,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { createMessageApi } from '../../src/delivery/message-api.ts';
import { type GuildSettings, guildSettings } from '../../src/guilds/guild-settings.ts';
import { createAuditChannel } from '../../src/moderation/audit-channel.ts';
import { auditEntry } from '../../src/moderation/audit-entry.ts';
import { type AuditLog, createAuditLog } from '../../src/moderation/audit-log.ts';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import type { Store } from '../../src/storage/store.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createStoreWorld } from '../support/store.ts';

const looked = { guildId: GUILD, actorId: MODERATOR, event: 'credits-viewed', memberId: MEMBER } as const;
const paused = { guildId: GUILD, actorId: MODERATOR, event: 'setting-changed', setting: 'pause' } as const;

/** What a server has on record; it is told as it happens, and kept until it expires. */
async function ofGuild(store: Store, guildId: string) {
  const rows = await store.collection('audit', auditEntry).list({ prefix: `${guildId}:` });
  return rows.map(({ value }) => value);
}

describeEachStore((open) => {
  async function auditLog(store?: Store) {
    const clock = createFakeClock();
    const used = store ?? (await open());
    const log = createAuditLog({
      store: used,
      channel: { tell: () => {} },
      knownGuilds: createKnownGuilds({ store: used }),
      retentionMs: 90 * DAY_MS,
      clock,
    });
    /** Records one after the other, a second apart. */
    async function record(...events: Parameters<AuditLog['record']>[0][]): Promise<void> {
      for (const event of events) {
        await log.record(event);
        await clock.advance(1_000);
      }
    }
    return { ...log, record, ofGuild: (guildId: string) => ofGuild(used, guildId) };
  }

  test('a server has on record what was done in it, oldest first, and nothing of another', async () => {
    const log = await auditLog();
    await log.record(looked, { ...paused, to: 'on' }, { ...looked, guildId: OTHER_GUILD });
    expect(await log.ofGuild(GUILD)).toMatchObject([
      { event: 'credits-viewed', memberId: MEMBER },
      { event: 'setting-changed', actorId: MODERATOR, to: 'on' },
    ]);
  });

  test('who made a reported picture finds neither who reported it nor who dismissed that; they and the server do', async () => {
    const log = await auditLog();
    const picture = { guildId: GUILD, memberId: MEMBER, jobId: '1' };
    await log.record({ ...picture, actorId: OUTSIDER, event: 'picture-reported' });
    await log.record({ ...picture, actorId: MODERATOR, event: 'report-dismissed' });
    const events = (entries: readonly { event: string }[]) => entries.map(({ event }) => event);
    expect(await log.ofMember(MEMBER)).toEqual([]);
    expect(events(await log.ofMember(OUTSIDER))).toEqual(['picture-reported']);
    expect(events(await log.ofMember(MODERATOR))).toEqual(['report-dismissed']);
    expect(events(await log.ofGuild(GUILD))).toEqual(['picture-reported', 'report-dismissed']);
  });

  test('a member sees who looked, in every server, and what was done in direct messages', async () => {
    const log = await auditLog();
    await log.record(looked, { ...looked, guildId: OTHER_GUILD }, paused);
    await log.record({ guildId: null, actorId: MEMBER, event: 'key-linked', owner: 'member' });
    expect(await log.ofMember(MEMBER)).toMatchObject([
      { event: 'key-linked' },
      { event: 'credits-viewed', guildId: OTHER_GUILD },
      { event: 'credits-viewed', guildId: GUILD },
    ]);
  });

  test('of all looks a member is told the latest five of others, not those of their own', async () => {
    const log = await auditLog();
    const own = { ...looked, actorId: MEMBER, memberId: MODERATOR };
    await log.record(...Array.from({ length: 6 }, (_, nth) => ({ ...looked, guildId: `${nth}` })), own);
    const looks = await log.looksAt(MEMBER);
    expect(looks.map(({ guildId, actorId }) => [guildId, actorId])).toEqual(
      ['5', '4', '3', '2', '1'].map((guildId) => [guildId, MODERATOR]),
    );
    expect(await log.looksAt(MODERATOR)).toMatchObject([{ actorId: MEMBER }]);
  });

  test('a server that was left is forgotten, also by its members', async () => {
    const log = await auditLog();
    await log.record(looked, { ...looked, guildId: OTHER_GUILD });
    await log.purgeGuild(GUILD);
    expect(await log.ofGuild(GUILD)).toEqual([]);
    expect(await log.ofMember(MEMBER)).toMatchObject([{ guildId: OTHER_GUILD }]);
    expect(await log.ofMember(MODERATOR)).toMatchObject([{ guildId: OTHER_GUILD }]);
  });

  test('what is found by a member can be erased; the record of the server stays', async () => {
    const log = await auditLog();
    await log.record(looked);
    await log.eraseMember(MEMBER);
    expect(await log.ofMember(MEMBER)).toEqual([]);
    expect(await log.ofGuild(GUILD)).toHaveLength(1);
  });
});

/** An audit log whose entries are posted into a local Discord. */
async function postedWorld(settings: Pick<GuildSettings, 'logChannelId' | 'locale'>) {
  const discord = await startLocalDiscord();
  const { store } = await createStoreWorld();
  const { log, lines } = captureLog();
  const clock = createFastClock();
  const messages = createMessageApi({ bot: discord.rest, webhooks: discord.rest });
  const channel = createAuditChannel({
    guildSettings: { of: async () => guildSettings.parse(settings) },
    discord: messages,
    clock,
    log,
  });
  onTestFinished(discord.close);
  onTestFinished(channel.stop);
  const auditLog = createAuditLog({
    store,
    channel,
    knownGuilds: createKnownGuilds({ store }),
    retentionMs: DAY_MS,
    clock,
  });
  return { auditLog, store, lines, moderator: discord.discord.as(MODERATOR), discord: discord.discord };
}

test('what was done stands in the channel that the server chose, in its language, and notifies nobody', async () => {
  const { auditLog, moderator } = await postedWorld({ logChannelId: CHANNEL, locale: 'de' });
  await auditLog.record(looked);
  const posted = await sees(moderator, ({ content }) => content.includes('die Credits von'));
  expect(posted.content).toContain(`<@${MODERATOR}> hat die Credits von <@${MEMBER}> angesehen`);
  expect(posted.mentions).toEqual([]);
  expect(posted.mention_everyone).toBe(false);
});

test('what somebody typed into a setting is shown as they typed it, on one line', async () => {
  const { auditLog, moderator } = await postedWorld({ logChannelId: CHANNEL });
  const to = `@everyone\n# <@${MEMBER}> [a](https://example.org) \u202Eevil \u200B${'x'.repeat(3_000)}`;
  await auditLog.record({ ...paused, to });
  const { content, mentions } = await sees(moderator, (message) => message.content.includes('changed'));
  expect(content.trim().split('\n')).toHaveLength(1);
  expect(content).not.toContain(`<@${MEMBER}>`);
  expect(content).not.toMatch(/[\u202E\u200B]|\[a\]\(/);
  expect(content.length).toBeLessThan(500);
  expect(mentions).toEqual([]);
});

test('a channel that the bot may not write to, or that is gone, fails nothing', async () => {
  for (const logChannelId of [STAFF_CHANNEL, '500000000000000099']) {
    const { auditLog, store, lines } = await postedWorld({ logChannelId });
    await auditLog.record(looked);
    await expect.poll(() => lines.join('')).toContain('the log channel of a server took nothing');
    expect(await ofGuild(store, GUILD)).toHaveLength(1);
  }
});

test('many entries of one moment come as few messages, all of them and in order', async () => {
  const { auditLog, moderator } = await postedWorld({ logChannelId: CHANNEL });
  const numbers = Array.from({ length: 100 }, (_, nth) => `${nth}`);
  await Promise.all(numbers.map((to) => auditLog.record({ ...paused, to })));
  await sees(moderator, ({ content }) => content.includes('to 99\n') || content.endsWith('to 99'));
  const posted = moderator.messages(CHANNEL).map(({ content }) => content);
  expect(posted.join('\n').match(/(?<= to )\d+/g)).toEqual(numbers);
  expect(posted.length).toBeLessThan(12);
});
