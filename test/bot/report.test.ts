import { MINUTE_MS } from '@darkroom/time';
import { type APIMessage, type APIThreadChannel, ChannelType, Routes } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { calls, oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OUTSIDER,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
  smallWorld,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorldOptions, botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow, deleteBy, picked, pressedTwice, underMore } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { linkTo } from '../support/picture-world.ts';

/** A server that takes reports in its second channel, a picture in it, and somebody who does not like it. */
async function reportWorld(
  settings: Partial<GuildSettings> = {},
  prompt = 'a red fox',
  { count = 1, ...options }: BotWorldOptions & { count?: number } = {},
) {
  const storeUrl = await storeWithSettings({ reportChannelId: SECOND_CHANNEL, ...settings });
  const world = await botWorld({ storeUrl, ...options });
  const moderator = world.as(MODERATOR);
  const picture = await world.imagined({ prompt, count });

  /** What reads who reports a picture in this message: a moderator unless given. */
  async function reportIn(message: APIMessage, reason = 'It is rude.', member = moderator): Promise<string> {
    const more = await underMore(message, member);
    const opened = await member.press(more.id, buttonOf(more, en.report.report));
    if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
    const answer = await member.submitModal(opened.interactionId, { reason });
    return (await settled(answer, member)).content;
  }
  const report = (reason?: string) => reportIn(picture, reason);

  const reports = () => moderator.messages(SECOND_CHANNEL);
  async function reported(): Promise<APIMessage> {
    await report();
    const [filed] = reports();
    if (!filed) throw new Error('no report');
    return filed;
  }
  /** What the moderators read of the first report once it says this. */
  const saysOfReport = (words: string) => expect.poll(() => reports().at(-1)?.content ?? '').toContain(words);
  return { ...world, moderator, picture, reportIn, report, reports, reported, saysOfReport };
}

/** What whoever presses a button with such an id reads, where it leads nowhere. */
function nowhere(id: string): string {
  if (id.startsWith('imagine:cancel:')) return en.cancel.notYours;
  return id.startsWith('imagine:resolve:') ? en.report.forgotten : en.report.gone;
}

const labelsOf = ({ components = [] }: APIMessage) => JSON.stringify(components);

test('a report arrives with the picture, who made it, who reports it, and what can be done', async () => {
  const { report, reports, picture } = await reportWorld();
  expect(await report('It is rude: https://rude.example')).toBe(en.report.filed);
  const [filed] = reports();
  expect(filed?.content).toContain(`<@${MODERATOR}> reports a picture by <@${MEMBER}>`);
  expect(filed?.content).toContain(`/${GUILD}/${CHANNEL}/${picture.id}`);
  expect(filed?.content).toContain('a red fox');
  expect(filed?.embeds[0]?.description).toContain('It is rude');
  expect(filed?.embeds[0]?.description).not.toContain('https://rude.example');
  expect(filed?.mentions).toEqual([]);
  expect(filed?.embeds[0]?.image?.url).toMatch(/^http/);
});

test('nobody is asked to report what they have made themselves', async () => {
  const world = await reportWorld();
  expect(labelsOf(await underMore(world.picture, world.member))).not.toContain(en.report.report);
  const hidden = await world.imagined({ prompt: 'a red fox', private: true });
  expect(labelsOf(await underMore(hidden, world.member))).not.toContain(en.report.report);
});

test('without a channel for reports they wait in /moderate reports, until a moderator has looked at them', async () => {
  const { report, moderator, member, picture, openCommands } = await reportWorld({
    reportChannelId: undefined,
  });
  expect((await run(moderator, 'moderate reports')).content).toBe(en.moderate.noReports(undefined));
  expect(await report('It is rude.')).toBe(en.report.filed);
  await openCommands();
  expect((await run(member, 'moderate reports')).content).toBe(en.refusal.needsModerateMembers);
  const waiting = await run(moderator, 'moderate reports');
  expect(waiting.content).toContain(`<@${MODERATOR}> reports a picture by <@${MEMBER}>`);
  expect(waiting.content).toContain(`/${GUILD}/${CHANNEL}/${picture.id}`);
  expect(waiting.embeds[0]?.description).toContain('It is rude');
  expect(waiting.embeds[0]?.image?.url).toMatch(/^http/);
  await moderator.press(waiting.id, buttonOf(waiting, en.report.delete));
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
  await expect.poll(() => moderator.message(waiting.id)?.content).toContain('deleted the picture');
  const looked = moderator.message(waiting.id) ?? waiting;
  await moderator.press(looked.id, buttonOf(looked, en.moderate.nextReport));
  await expect.poll(() => moderator.message(waiting.id)?.content).toBe(en.moderate.noReports(undefined));
});

test('whoever erases everything about themselves does not escape a report', async () => {
  const world = await reportWorld({ reportChannelId: undefined });
  const { report, moderator, member, picture } = world;
  await report('It is rude.');
  await eraseAll(world.member);
  const waiting = await run(moderator, 'moderate reports');
  expect(waiting.content).not.toContain('a red fox');
  await moderator.press(waiting.id, buttonOf(waiting, en.report.delete));
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
});

test('nor one that was posted in the channel for reports', async () => {
  const world = await reportWorld();
  const { moderator, member, picture } = world;
  const filed = await world.reported();
  await eraseAll(world.member);
  expect((await run(moderator, 'moderate reports')).content).toBe(
    en.moderate.noReports(`<#${SECOND_CHANNEL}>`),
  );
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
  await world.saysOfReport('deleted the picture');
});

test('nor does whoever erases it before anybody has complained: what its message says is enough', async () => {
  const world = await reportWorld({ reportChannelId: undefined });
  const { report, moderator, member, picture } = world;
  await eraseAll(world.member);
  expect(labelsOf(await underMore(picture, member))).not.toContain(en.report.report);
  expect(await report('It is rude.')).toBe(en.report.filed);
  const waiting = await run(moderator, 'moderate reports');
  expect(waiting.content).toContain(`<@${MODERATOR}> reports a picture by <@${MEMBER}>`);
  expect(waiting.content).toContain(linkTo(picture));
  expect(waiting.content).not.toContain('a red fox');
  expect(waiting.embeds[0]?.image?.url).toMatch(/^http/);
  await moderator.press(waiting.id, buttonOf(waiting, en.report.delete));
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
});

test('nor whoever erases it while somebody says what is wrong', async () => {
  const world = await reportWorld();
  const { moderator, picture, reports } = world;
  const more = await underMore(picture, moderator);
  const report = () => moderator.press(more.id, buttonOf(more, en.report.report));
  const opened = await report();
  await eraseAll(world.member);
  for (const form of [opened, await report()]) {
    if (form.kind !== 'modal') throw new Error(form.kind);
    const answer = await moderator.submitModal(form.interactionId, { reason: 'It is rude.' });
    expect([en.report.filed, en.report.known]).toContain((await settled(answer, moderator)).content);
  }
  expect(reports().map(({ content }) => content)).toEqual([expect.stringContaining(linkTo(picture))]);
});

test('a picture in a thread that was archived meanwhile is deleted all the same', async () => {
  const world = await botWorld({ storeUrl: await storeWithSettings({ reportChannelId: SECOND_CHANNEL }) });
  const moderator = world.as(MODERATOR);
  const client = await world.login();
  const opened = await client.rest.post(Routes.threads(CHANNEL), {
    body: { name: 'foxes', type: ChannelType.PublicThread },
  });
  const { id: threadId } = opened as APIThreadChannel;
  const picture = await world.imagined({ prompt: 'a red fox' }, { channelId: threadId });
  const more = await underMore(picture, moderator);
  const form = await moderator.press(more.id, buttonOf(more, en.report.report));
  if (form.kind !== 'modal') throw new Error(form.kind);
  await settled(await moderator.submitModal(form.interactionId, { reason: 'It is rude.' }), moderator);
  await client.rest.patch(Routes.channel(threadId), { body: { archived: true } });
  const [filed] = moderator.messages(SECOND_CHANNEL);
  if (!filed) throw new Error('no report');
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expect.poll(() => world.member.message(picture.id)).toBeUndefined();
  await client.destroy();
});

test('each member reports a picture once', async () => {
  const { report, reports } = await reportWorld();
  await report();
  expect(await report()).toBe(en.report.known);
  expect(reports()).toHaveLength(1);
});

test('what somebody typed is shown as they typed it', async () => {
  const { report, reports } = await reportWorld({}, `**@everyone** <@${MEMBER}> [a](https://example.org)`);
  await report(`# x\n@everyone <@${MEMBER}> \u202E[b](https://example.org)`);
  const [filed] = reports();
  expect(filed?.mention_everyone).toBe(false);
  expect(filed?.mentions).toEqual([]);
  const shown = [filed?.content, filed?.embeds[0]?.description].join('\n');
  expect(shown).not.toMatch(/\u202E|(^|[^\\])\[[ab]\]\(/);
  expect(shown.split('\n')).toHaveLength(3);
});

test('a report is in the language of the server', async () => {
  const { report, reports, picture } = await reportWorld({ locale: 'de' });
  expect(JSON.stringify(picture.components)).toContain(de.actions.more);
  expect(await report()).toBe(en.report.filed);
  expect(reports()[0]?.content).toContain('meldet ein Bild von');
});

test('where the channel does not take it, the member is told with their words, and may report again', async () => {
  const { report } = await reportWorld({ reportChannelId: STAFF_CHANNEL });
  expect(await report('It is rude')).toBe(`${en.report.refused}\n> It is rude`);
  expect(await report('It is rude')).toBe(`${en.report.refused}\n> It is rude`);
});

test('who reports to a process that dies is told so by the next one', async () => {
  const world = await reportWorld();
  const { discord, moderator, picture } = world;
  const more = await underMore(picture, moderator);
  const opened = await moderator.press(more.id, buttonOf(more, en.report.report));
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  discord.faults.add({ every: calls.post, effect: 'hang' });
  const answer = messageOf(await moderator.submitModal(opened.interactionId, { reason: 'It is rude.' }));
  // As a kill would: nothing of what the process still does reaches Discord.
  discord.faults.add({ every: calls.token, effect: { status: 503 } });
  await world.stopBot();
  discord.faults.clear();
  discord.faults.add({ every: calls.post, effect: 'hang' });
  world.clock.advance(2 * MINUTE_MS);
  await world.startBot();
  expect((await world.reads(en.refusal.restarted, moderator)).id).toBe(answer.id);
});

test('where the picture cannot be deleted whoever pressed is told, and the report stays as it is', async () => {
  const world = await reportWorld();
  const { discord, moderator, member, picture } = world;
  const filed = await world.reported();
  discord.faults.add({ every: ({ method }) => method === 'DELETE', effect: { status: 500 } });
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await world.reads('Reference', moderator);
  expect(moderator.message(filed.id)).toEqual(filed);
  discord.faults.clear();
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  const saidNow = () => moderator.message(filed.id)?.content;
  await expect.poll(saidNow).toBe(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  expect(member.message(picture.id)).toBeUndefined();
});

test('of two presses at once the report says what the first has done', async () => {
  const world = await reportWorld();
  await pressedTwice(await world.reported(), en.report.delete, world.moderator);
  // What is still being answered has been answered then.
  await world.stopBot();
  await world.saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
});

/** What stands alone of several pictures. */
const standAlone = (user: UserClient) =>
  user.messages(CHANNEL).filter(({ content }) => content.includes('Picture 1 of'));

/** A report world of two pictures, the first of which can be posted alone as well. */
async function twoPictures(settings: Partial<GuildSettings> = {}) {
  const world = await reportWorld(settings, 'a red fox', { count: 2 });
  const { member, picture, clock } = world;
  const copies = () => member.messages(CHANNEL).filter(({ content }) => content.includes('Picture 1 of'));
  /** Resolves with the message. */
  async function postAlone(user = member): Promise<APIMessage> {
    const { length } = copies();
    const shown = await picked(picture, user, 1);
    await user.press(shown.id, buttonOf(shown, en.actions.postAlone));
    await expect.poll(() => copies().length).toBe(length + 1);
    // The same press a moment later is a double click.
    clock.advance(3_001);
    const copy = copies().at(-1);
    if (!copy) throw new Error('no copy');
    return copy;
  }
  async function expectAllDeleted(): Promise<void> {
    await expect.poll(() => [member.message(picture.id), ...copies()]).toEqual([undefined]);
  }
  return { ...world, postAlone, expectAllDeleted };
}

test('whatever stands alone of several pictures is deleted with them', async () => {
  const { moderator, reported, postAlone, saysOfReport, expectAllDeleted } = await twoPictures();
  await postAlone();
  await postAlone();
  const filed = await reported();
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  await expectAllDeleted();
});

test('so it is where their member has erased the request since', async () => {
  const world = await twoPictures();
  const { moderator, reported, postAlone, saysOfReport, expectAllDeleted } = world;
  await postAlone();
  const filed = await reported();
  // What is posted alone while the report waits is known as well.
  await postAlone();
  await eraseAll(world.member);
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  await expectAllDeleted();
});

test('what is on its way to stand alone while a moderator deletes the picture is deleted with it', async () => {
  const world = await reportWorld({}, undefined, { count: 2 });
  const { reported, moderator, member, picture, saysOfReport, discord, clock } = world;
  const filed = await reported();
  const one = await picked(picture, member, 1);
  const sent = () => discord.requests.list(calls.followUpFiles).length;
  const before = sent();
  discord.faults.add({ next: oneCall.followUpFiles, effect: { slowMs: 5 * MINUTE_MS } });
  await member.press(one.id, buttonOf(one, en.actions.postAlone));
  await expect.poll(sent).toBeGreaterThan(before);
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  clock.advance(5 * MINUTE_MS);
  await world.reads(en.actions.removed);
  expect(standAlone(member)).toEqual([]);
});

test('what comes to stand alone while Discord deletes the picture is deleted with it', async () => {
  const world = await reportWorld({}, undefined, { count: 2 });
  const { reported, moderator, member, picture, saysOfReport, discord, clock } = world;
  const filed = await reported();
  const one = await picked(picture, member, 1);
  const isDeletion = ({ method, path }: { method: string; path: string }) =>
    method === 'DELETE' && path.endsWith(picture.id);
  discord.faults.add({ every: isDeletion, effect: { slowMs: 5 * MINUTE_MS } });
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expect.poll(() => discord.requests.list(isDeletion)).toHaveLength(1);
  await member.press(one.id, buttonOf(one, en.actions.postAlone));
  await expect.poll(() => standAlone(member)).toHaveLength(1);
  clock.advance(5 * MINUTE_MS);
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  await expect.poll(() => standAlone(member)).toEqual([]);
});

test('nor does what stands alone escape a report that waits in /moderate reports', async () => {
  const world = await twoPictures({ reportChannelId: undefined });
  const { moderator, report, postAlone, expectAllDeleted } = world;
  await report();
  await postAlone();
  await eraseAll(world.member);
  const waiting = await run(moderator, 'moderate reports');
  await moderator.press(waiting.id, buttonOf(waiting, en.report.delete));
  await expectAllDeleted();
});

test('of an erased request whatever message is reported is deleted with the others', async () => {
  const world = await twoPictures();
  const { moderator, reported, postAlone, reportIn, expectAllDeleted } = world;
  const copy = await postAlone();
  await eraseAll(world.member);
  const filed = await reported();
  expect(await reportIn(copy)).toBe(en.report.known);
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expectAllDeleted();
});

test('what somebody else has posted alone is reported as the picture of who made it', async () => {
  const world = await twoPictures();
  const { moderator, member, reports, postAlone, reportIn, expectAllDeleted } = world;
  const owner = world.as(OUTSIDER);
  const copy = await postAlone(owner);
  await eraseAll(member);
  expect(labelsOf(await underMore(copy, owner))).toContain(en.report.report);
  expect(labelsOf(await underMore(copy, member))).not.toContain(en.report.report);
  expect(await reportIn(copy)).toBe(en.report.filed);
  expect(await reportIn(world.picture)).toBe(en.report.known);
  const [filed] = reports();
  if (!filed) throw new Error('no report');
  expect(filed.content).toContain(`<@${MODERATOR}> reports a picture by <@${MEMBER}>`);
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expectAllDeleted();
});

test('whose picture an earlier version has posted alone is found by its link, or nobody is named', async () => {
  const world = await twoPictures();
  const { moderator, member, picture, reports, login, reportIn } = world;
  const [jobId = ''] = /\d{17,20}/.exec(buttonOf(picture, en.actions.more)) ?? [];
  const body = {
    content: `<@${OUTSIDER}> · ${en.actions.nth(1, linkTo(picture))}`,
    components: [buttonRow(`imagine:vary:${jobId}:0`, `imagine:more:${jobId}:${OUTSIDER}`).toJSON()],
  };
  const client = await login();
  const post = async () => (await client.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const [first, second] = [await post(), await post()];
  await eraseAll(member);
  expect(await reportIn(first)).toBe(en.report.filed);
  const [filed] = reports();
  if (!filed) throw new Error('no report');
  expect(filed.content).toContain(`<@${MODERATOR}> reports a picture by <@${MEMBER}>`);
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expect.poll(() => member.message(first.id)).toBeUndefined();
  await deleteBy(picture, member);
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
  expect(await reportIn(second)).toBe(en.report.gone);
  expect(reports()).toHaveLength(1);
});

test.each(['delete', 'dismiss'] as const)(
  'who has reported one message of an erased request may report another, once it was decided to %s the first',
  async (action) => {
    const world = await twoPictures();
    const { moderator, picture, postAlone, reports, reported, reportIn } = world;
    const copy = await postAlone();
    await eraseAll(world.member);
    const filed = await reported();
    await moderator.press(filed.id, buttonOf(filed, en.report[action]));
    await expect.poll(() => moderator.message(filed.id)?.content).not.toBe(filed.content);
    if (action === 'dismiss') expect(await reportIn(picture)).toBe(en.report.known);
    expect(await reportIn(copy)).toBe(en.report.filed);
    expect(await reportIn(copy)).toBe(en.report.known);
    const again = reports().find(({ content }) => content.includes(`/${copy.id}`));
    if (!again) throw new Error('no report');
    // The same press a moment later is a double click.
    world.clock.advance(3_001);
    await moderator.press(again.id, buttonOf(again, en.report.delete));
    await expect.poll(() => world.member.message(copy.id)).toBeUndefined();
  },
);

test('a moderator deletes the picture', async () => {
  const { reported, moderator, member, picture, saysOfReport } = await reportWorld();
  const filed = await reported();
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
  expect(member.message(picture.id)).toBeUndefined();
});

test('what its member has deleted meanwhile is said to be gone, and is in no log', async () => {
  const world = await reportWorld({ logChannelId: CHANNEL });
  const { reported, moderator, member, picture, saysOfReport } = world;
  const filed = await reported();
  await deleteBy(picture, member);
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await saysOfReport(en.report.deletedBefore(`<@${MEMBER}>`));
  await run(moderator, 'moderate block', { member: MEMBER });
  await world.reads(`<@${MODERATOR}> blocked <@${MEMBER}>`);
  expect(moderator.messages(CHANNEL).some(({ content }) => content.includes('deleted a picture'))).toBe(
    false,
  );
});

test('a moderator blocks the member for a day', async () => {
  const { reported, moderator, saysOfReport, member } = await reportWorld();
  const filed = await reported();
  await moderator.press(filed.id, buttonOf(filed, en.report.block));
  await saysOfReport(`<@${MODERATOR}> blocked <@${MEMBER}>`);
  const refused = await member.invoke(CHANNEL, 'imagine', { prompt: 'more' });
  expect(JSON.stringify(refused)).toContain(en.rules.blocked('').slice(0, -1));
});

test('a block by a report stops what its member has under way', async () => {
  const engine = controlledEngine();
  void engine.next().then(({ finish }) => finish());
  const { reported, moderator, saysOfReport, member } = await reportWorld({}, undefined, {
    service: { engine },
  });
  const filed = await reported();
  const { id } = messageOf(await member.invoke(CHANNEL, 'imagine', { prompt: 'more' }));
  await expect.poll(() => engine.begun).toHaveLength(2);
  await moderator.press(filed.id, buttonOf(filed, en.report.block));
  await saysOfReport(en.moderate.stopped(1));
  await expect.poll(() => member.message(id)).toBeUndefined();
});

test('a report shortens no block of whoever is blocked for longer already', async () => {
  const { reported, moderator, member, picture, saysOfReport } = await reportWorld();
  const filed = await reported();
  await run(moderator, 'moderate block', { member: MEMBER });
  await moderator.press(filed.id, buttonOf(filed, en.report.block));
  await saysOfReport(`${en.report.blockedBefore(`<@${MEMBER}>`)} ${en.report.stillThere(linkTo(picture))}`);
  const refused = await member.invoke(CHANNEL, 'imagine', { prompt: 'more' });
  expect(JSON.stringify(refused)).toContain(en.rules.blocked(undefined));
});

test.each([
  ['en', en],
  ['de', de],
] as const)(
  'a report of whom a moderator has blocked stays open until its picture is deleted: %s',
  async (locale, texts) => {
    const { report, moderator, member, picture } = await reportWorld({ locale, reportChannelId: undefined });
    await report('It is rude.');
    const waiting = await run(moderator, 'moderate reports');
    await moderator.press(waiting.id, buttonOf(waiting, en.report.block));
    const saidNow = () => moderator.message(waiting.id)?.content;
    await expect.poll(saidNow).not.toBe(waiting.content);
    expect(saidNow()).toContain(picture.id);
    const again = await run(moderator, 'moderate reports');
    expect(again.embeds[0]?.description).toContain('It is rude');
    const blocked = moderator.message(waiting.id) ?? waiting;
    expect(blocked.embeds).toEqual(waiting.embeds);
    expect(buttonOf(blocked, en.moderate.nextReport)).toBeDefined();
    await moderator.press(blocked.id, buttonOf(blocked, texts.report.delete));
    await expect.poll(() => member.message(picture.id)).toBeUndefined();
    const deleted = texts.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`);
    await expect.poll(saidNow).toBe(deleted);
    expect((await run(moderator, 'moderate reports')).content).toBe(en.moderate.noReports(undefined));
  },
);

test('a complaint that nobody has read yet is not dismissed with the others, but shown', async () => {
  const world = await reportWorld({ reportChannelId: undefined });
  const { moderator, picture, report, reportIn } = world;
  await report('It is rude.');
  const waiting = await run(moderator, 'moderate reports');
  expect(await reportIn(picture, 'It shows me.', world.as(OUTSIDER))).toBe(en.report.filed);
  const shown = () => moderator.message(waiting.id) ?? waiting;
  await moderator.press(waiting.id, buttonOf(waiting, en.report.dismiss));
  await expect.poll(() => shown().content).toContain(en.report.reportedSince);
  expect(shown().content).toContain(`<@${OUTSIDER}>`);
  expect(shown().embeds[0]?.description).toContain('It shows me');
  await moderator.press(waiting.id, buttonOf(shown(), en.report.dismiss));
  await expect.poll(() => shown().content).toBe(en.report.dismissed(`<@${MODERATOR}>`, linkTo(picture)));
  expect((await run(moderator, 'moderate reports')).content).toBe(en.moderate.noReports(undefined));
});

test('a moderator dismisses a report, and the picture stays', async () => {
  const { reported, moderator, saysOfReport, member, picture } = await reportWorld();
  const filed = await reported();
  await moderator.press(filed.id, buttonOf(filed, en.report.dismiss));
  await saysOfReport('dismissed the report');
  expect(member.message(picture.id)?.attachments).toHaveLength(1);
});

/** A picture that is reported, and the page of /moderate reports that each of two moderators has open. */
async function twoModerators() {
  const world = await reportWorld({ reportChannelId: undefined, logChannelId: SECOND_CHANNEL });
  const { moderator, report } = world;
  await report();
  const openPage = async (user: typeof moderator) => {
    const opened = await run(user, 'moderate reports');
    const page = () => user.message(opened.id) ?? opened;
    const press = (label: string) => user.press(opened.id, buttonOf(page(), label));
    return { page, press, says: (words: string) => expect.poll(() => page().content).toBe(words) };
  };
  return { ...world, mine: await openPage(moderator), others: await openPage(world.as(OUTSIDER)) };
}

test('who dismisses what another moderator has decided on is told so, and is in no log', async () => {
  const { mine, others, moderator, picture, reads } = await twoModerators();
  await others.press(en.report.dismiss);
  await others.says(en.report.dismissed(`<@${OUTSIDER}>`, linkTo(picture)));
  await mine.press(en.report.dismiss);
  await mine.says(en.report.decidedBefore(linkTo(picture)));
  expect(buttonOf(mine.page(), en.moderate.nextReport)).toBeDefined();
  expect(labelsOf(mine.page())).not.toContain(en.report.delete);
  await run(moderator, 'moderate block', { member: MEMBER });
  await reads(`<@${MODERATOR}> blocked <@${MEMBER}>`);
  const told = moderator.messages(SECOND_CHANNEL).filter(({ content }) => content.includes('dismissed'));
  expect(told.map(({ content }) => content)).toEqual([expect.stringContaining(`<@${OUTSIDER}>`)]);
});

test('who blocks the member of a picture that another moderator has deleted is not sent to look at it', async () => {
  const { mine, others, member, picture } = await twoModerators();
  await others.press(en.report.delete);
  await others.says(en.report.deleted(`<@${OUTSIDER}>`, `<@${MEMBER}>`));
  expect(member.message(picture.id)).toBeUndefined();
  await mine.press(en.report.block);
  await expect.poll(() => mine.page().content).toMatch(/^<@\d+> blocked <@\d+>; that ends <t:\d+:R>\.$/);
  for (const label of [en.report.delete, en.report.dismiss])
    expect(labelsOf(mine.page())).not.toContain(label);
});

test('of a report that another moderator has dismissed the picture is left to be deleted', async () => {
  const { mine, others, picture } = await twoModerators();
  await others.press(en.report.dismiss);
  await others.says(en.report.dismissed(`<@${OUTSIDER}>`, linkTo(picture)));
  await mine.press(en.report.block);
  await expect.poll(() => mine.page().content).toContain(en.report.stillThere(linkTo(picture)));
  expect(labelsOf(mine.page())).toContain(en.report.delete);
  expect(labelsOf(mine.page())).not.toContain(en.report.dismiss);
});

test('of two who decide at once under one report the second is told, and it says what the first has done', async () => {
  const world = await reportWorld();
  const { discord, moderator, saysOfReport, picture } = world;
  const owner = world.as(OUTSIDER);
  const filed = await world.reported();
  const deletion = ({ method }: { method: string }) => method === 'DELETE';
  discord.faults.add({ every: deletion, effect: { slowMs: 5_000 } });
  await moderator.press(filed.id, buttonOf(filed, en.report.delete));
  await expect.poll(() => discord.requests.list(deletion)).toHaveLength(1);
  await owner.press(filed.id, buttonOf(filed, en.report.dismiss));
  await world.reads(en.report.decidedBefore(linkTo(picture)), owner);
  await saysOfReport(en.report.deleted(`<@${MODERATOR}>`, `<@${MEMBER}>`));
});

test('what is reported while somebody is told that others have decided stays open', async () => {
  const world = await reportWorld();
  const { discord, moderator, picture, reported, reportIn, reports, reads, saysOfReport, clock } = world;
  const filed = await reported();
  const dismiss = ({ id }: APIMessage) => moderator.press(id, buttonOf(filed, en.report.dismiss));
  discord.faults.add({ next: oneCall.replyWords, effect: { status: 500 } });
  await dismiss(filed);
  await reads('Reference', moderator);
  const isLook = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path.endsWith(`/${filed.id}`);
  discord.faults.add({ every: isLook, effect: { slowMs: 5 * MINUTE_MS } });
  await dismiss(filed);
  await expect.poll(() => discord.requests.list(isLook)).toHaveLength(1);
  await reportIn(picture, 'It shows me.', world.as(OUTSIDER));
  clock.advance(5 * MINUTE_MS);
  await expect
    .poll(() => moderator.message(filed.id)?.content)
    .toBe(en.report.decidedBefore(linkTo(picture)));
  const other = reports().find(({ embeds }) => embeds[0]?.description?.includes('It shows me'));
  await moderator.press(`${other?.id}`, buttonOf(other ?? filed, en.report.dismiss));
  await saysOfReport('dismissed the report');
});

test('in a server that the bot is not in nobody is told that its moderators read a report', async () => {
  const world = await botWorld();
  world.discord.world.setInstalled(MEMBER, BOT, true);
  await settled(
    await fillIn(world.member, await world.member.invoke(CHANNEL, 'apikey link'), world.service.key),
    world.member,
  );
  const picture = await world.imagined({ prompt: 'a red fox' }, { channelId: OTHER_CHANNEL });
  const owner = world.as(OUTSIDER);
  const more = await underMore(picture, owner);
  expect(labelsOf(more)).not.toContain(en.report.report);
});

test('forged ids lead nowhere', async () => {
  const { login, moderator, reports, picture } = await reportWorld();
  const [again = ''] = /\d{17,20}/.exec(buttonOf(picture, en.picture.again)) ?? [];
  const client = await login();
  const forged = [
    'imagine:report:0',
    'imagine:report:',
    `imagine:report:${again}9`,
    'imagine:resolve:delete:0',
  ];
  const body = { components: [buttonRow(...forged).toJSON()] };
  const planted = (await client.rest.post(`/channels/${CHANNEL}/messages`, { body })) as APIMessage;
  for (const id of forged) {
    expect(await moderator.press(planted.id, id)).toMatchObject({ message: { content: nowhere(id) } });
  }
  expect(reports()).toEqual([]);
});

test('a button that names another message than the picture files nothing', async () => {
  const world = await reportWorld();
  const { login, moderator, member, reports, picture } = world;
  const [jobId = ''] = /\d{17,20}/.exec(buttonOf(picture, en.picture.again)) ?? [];
  await eraseAll(world.member);
  const hidden = await world.imagined({ prompt: 'a red fox', private: true });
  const typed = await member.say(CHANNEL, 'a red fox');
  const other = await world.imagined({ prompt: 'a blue fox' });
  const client = await login();
  for (const messageId of [hidden.id, typed.id, other.id, '100000000000000000']) {
    const id = `imagine:report:${jobId}:${messageId}`;
    const body = { components: [buttonRow(id).toJSON()] };
    const planted = (await client.rest.post(`/channels/${CHANNEL}/messages`, { body })) as APIMessage;
    const opened = await moderator.press(planted.id, id);
    if (opened.kind !== 'modal') throw new Error(opened.kind);
    const answer = await moderator.submitModal(opened.interactionId, { reason: 'It is rude.' });
    expect((await settled(answer, moderator)).content).toBe(en.report.gone);
  }
  expect(reports()).toEqual([]);
});

test('who has every right in another server has none over the pictures of this one', async () => {
  const [first, second] = smallWorld.guilds ?? [];
  if (!first || !second) throw new Error('two servers');
  const { roles = [], members = [] } = first;
  const own = (id: string) => `${id.slice(0, -1)}9`;
  const elsewhere = {
    ...second,
    roles: roles.map((role) => ({ ...role, id: own(role.id) })),
    members: members.map((one) => ({ ...one, roles: one.roles?.map(own) ?? [] })),
  };
  const discord = { world: { ...smallWorld, guilds: [first, elsewhere] } };
  const { login, moderator, reported, reports, picture, member } = await reportWorld({}, 'a red fox', {
    discord,
  });
  const filed = await reported();
  const [jobId = ''] = /\d{17,20}/.exec(buttonOf(picture, en.picture.again)) ?? [];
  const actions = ['delete', 'dismiss', 'block'].map((action) => `imagine:resolve:${action}:${jobId}`);
  const cancel = `imagine:cancel:${BigInt(jobId).toString(36)}`;
  const forged = [...actions, `imagine:report:${jobId}`, cancel];
  const client = await login();
  const body = { components: [buttonRow(...forged).toJSON()] };
  const planted = (await client.rest.post(`/channels/${OTHER_CHANNEL}/messages`, { body })) as APIMessage;
  for (const id of forged)
    expect(await moderator.press(planted.id, id)).toMatchObject({ message: { content: nowhere(id) } });
  expect(member.message(picture.id)?.attachments).toHaveLength(1);
  expect(reports().map(({ content }) => content)).toEqual([filed.content]);
});

test('a report says what is wrong, or is none', async () => {
  const { moderator, picture, reports } = await reportWorld();
  const more = await underMore(picture, moderator);
  const opened = await moderator.press(more.id, buttonOf(more, en.report.report));
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  const answer = await moderator.submitModal(opened.interactionId, { reason: '   ' });
  expect(answer).toMatchObject({ message: { content: en.report.noReason } });
  expect(reports()).toEqual([]);
});
