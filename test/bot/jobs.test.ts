import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { controlledEngine, editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { calls, oneCall, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  PRIVATE_CHANNEL,
  sees,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, type BotWorldOptions, botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { changeSettings, storeWithSettings } from '../support/guild-settings.ts';
import { everyJob, turned } from '../support/job-list.ts';
import { linkLostKey } from '../support/lost-key.ts';
import { labelsOf, photograph } from '../support/picture-world.ts';

const SMALL = { size: '64x64' };

const listedIn = ({ embeds }: APIMessage) => embeds.map(({ description = '' }) => description);
const promptsIn = (message: APIMessage) => listedIn(message).map((text) => text.split('\n')[0]);
const looks = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /^\/channels\/\d+\/messages\/\d+$/.test(path);

/** Some pictures of a member, the first the oldest. */
async function drawnWorld(prompts: readonly string[]) {
  const world = await botWorld();
  for (const prompt of prompts) await world.imagined({ prompt, ...SMALL });
  return world;
}

test('/jobs shows what a member made, newest first, with its words, a link and its picture', async () => {
  const world = await drawnWorld(['a red fox\non a *hill*', 'a blue fox']);
  const list = await run(world.member, 'jobs');
  const [newest, oldest] = listedIn(list);
  expect(newest).toMatch(/^\*\*1\.\*\* a blue fox\n-# <t:\d+:R> · \[Open\]\(/);
  expect(oldest).toContain('**2.** a red fox on a \\*hill\\*\n');
  expect(oldest).toContain(`https://discord.com/channels/${GUILD}/${CHANNEL}/`);
  const shown = await sees(world.member, ({ id, embeds }) => id === list.id && embeds[0]?.thumbnail != null);
  const pictures = world.member
    .messages(CHANNEL)
    .flatMap(({ attachments }) => attachments.map(({ id }) => id));
  expect(
    shown.embeds.map(({ thumbnail }) => pictures.findIndex((id) => thumbnail?.url.includes(id))),
  ).toEqual([1, 0]);
  expect(listedIn(shown)).toEqual(listedIn(list));
  expect(await everyJob(world.as(MODERATOR))).toEqual([]);
});

test('Again makes a picture of the list anew, and what was deleted has no link any more', async () => {
  const world = await drawnWorld(['a red fox']);
  const list = await run(world.member, 'jobs');
  const again = messageOf(await world.member.press(list.id, buttonOf(list, en.jobs.again(1))));
  const second = await world.ended(again.id);
  const session = await world.login();
  await session.rest.delete(`/channels/${CHANNEL}/messages/${second.id}`);
  await run(world.member, 'jobs');
  await sees(world.member, (message) => listedIn(message)[0]?.endsWith(en.jobs.gone) === true);
  await session.destroy();
});

test('of a file that is no picture nothing was made, and nothing would come of it again', async () => {
  const world = await botWorld({ service: { engine: editingEngine() } });
  const { member } = world;
  const file = { name: 'cat.png', bytes: new Uint8Array([1, 2, 3]), contentType: 'image/png' };
  const said = await member.say(CHANNEL, 'look', [file]);
  const offered = messageOf(await member.invokeOn(CHANNEL, en.actions.menu.use, said.id));
  const asked = await member.press(offered.id, buttonOf(offered, en.source.upscale(2)));
  await world.ended(messageOf(asked).id);
  const list = await run(member, 'jobs');
  expect(listedIn(list)[0]).toContain(en.failure.reasons['input-unreadable']);
  expect(listedIn(list)[0]).not.toContain(en.source.done.upscale(2));
  expect(labelsOf(list)).toEqual([[en.jobs.search]]);
});

test('pages turn there and back, after a restart too, and new pictures move nothing', async () => {
  const world = await drawnWorld(['1', '2', '3', '4', '5', '6', '7'].map((nth) => `fox ${nth}`));
  const first = await run(world.member, 'jobs');
  expect(first.embeds).toHaveLength(5);
  await world.restartBot();
  await world.imagined({ prompt: 'a later fox', ...SMALL });
  const second = await turned(world.member, first);
  expect(second && promptsIn(second)).toEqual(['**1.** fox 2', '**2.** fox 1']);
  const back = second && (await turned(world.member, second, 'newer'));
  expect(back && promptsIn(back)[0]).toBe('**1.** fox 7');
});

test('words and a kind narrow the list, by options and by a form, and everything can be shown again', async () => {
  const world = await drawnWorld(['a red FOX', 'a blue hare', 'a Füchsin in the snow']);
  expect(promptsIn(await run(world.member, 'jobs', { search: 'fox' }))).toEqual(['**1.** a red FOX']);
  const list = await run(world.member, 'jobs');
  const opened = await world.member.press(list.id, buttonOf(list, en.jobs.search));
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  await world.member.submitModal(opened.interactionId, { words: ' SNOW fuchsin', only: ['pictures'] });
  const found = await sees(world.member, ({ content }) => content.includes('“SNOW fuchsin”'));
  expect(found.id).toBe(list.id);
  expect(promptsIn(found)).toEqual(['**1.** a Füchsin in the snow']);
  await world.member.press(found.id, buttonOf(found, en.jobs.everything));
  await expect.poll(() => world.member.message(list.id)?.embeds.length).toBe(3);
  const none = await run(world.member, 'jobs', { search: 'a:'.repeat(25), only: 'failed' });
  expect([none.content, none.embeds]).toEqual([expect.stringContaining(en.jobs.nothing), []]);
});

test('the button of a search keeps its words, also where they look like the version of an id', async () => {
  const world = await drawnWorld(['a fox']);
  const list = await run(world.member, 'jobs', { search: '~portrait' });
  const opened = await world.member.press(list.id, buttonOf(list, en.jobs.search));
  expect(opened).toMatchObject({ kind: 'modal' });
  expect(JSON.stringify(opened)).toContain('"value":"~portrait"');
});

test('what runs stands first, with how far it is, can be refreshed, and is cancelled there', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a slow fox' });
  const drawing = await engine.next();
  drawing.progress(40);
  await world.reads('40 %');
  const list = await run(world.member, 'jobs');
  expect(listedIn(list)[0]).toContain('40 %');
  drawing.progress(80);
  await world.reads('80 %');
  await world.member.press(list.id, buttonOf(list, en.jobs.refresh));
  await sees(world.member, (one) => one.id === list.id && listedIn(one)[0]?.includes('80 %') === true);
  await settled(await world.member.press(list.id, buttonOf(list, en.jobs.stop(1))), world.member);
  await expect
    .poll(async () => listedIn(await run(world.member, 'jobs'))[0])
    .toContain(`**1.** a slow fox\n${en.jobs.state.cancelled}`);
});

test('what is private, behind a spoiler, or out of the bot’s reach has no picture in the list', async () => {
  const world = await botWorld({ operatorScope: { outside: true } });
  world.discord.world.setInstalled(MEMBER, BOT, true);
  await world.imagined({ prompt: 'a private fox', private: true, ...SMALL });
  const hidden = await world.imagined({ prompt: 'a hidden fox', spoiler: true, ...SMALL });
  expect(hidden.attachments[0]?.filename).toMatch(/^SPOILER_/);
  expect(hidden.attachments[0]?.description).toContain('a hidden fox');
  for (const channelId of [OTHER_CHANNEL, PRIVATE_CHANNEL])
    await world.imagined({ prompt: 'a fox elsewhere', ...SMALL }, { channelId });
  expect(await everyJob(world.member)).toHaveLength(4);
  await world.stopBot();
  expect(world.discord.requests.list(looks)).toEqual([]);
});

test('a list is there while Discord does not say what its pictures are, and one that was turned gets none', async () => {
  const world = await drawnWorld(['1', '2', '3', '4', '5', '6'].map((nth) => `fox ${nth}`));
  world.discord.faults.add({ next: oneCall.look, effect: 'hang' });
  const first = await run(world.member, 'jobs');
  expect(first.embeds).toHaveLength(5);
  await expect.poll(() => world.discord.requests.list(looks)).toHaveLength(1);
  const second = await turned(world.member, first);
  expect(second && promptsIn(second)).toEqual(['**1.** fox 1']);
  await sees(world.member, ({ id, embeds }) => id === first.id && embeds[0]?.thumbnail != null);
  expect(world.member.message(first.id)?.embeds).toHaveLength(1);
});

test('of two pages that were asked for at once, the pictures of the first do not bring it back', async () => {
  const world = await drawnWorld(['1', '2', '3', '4', '5', '6'].map((nth) => `fox ${nth}`));
  const moderator = world.as(MODERATOR);
  await world.imagined({ prompt: 'a hare', ...SMALL }, { user: moderator });
  const hasPictures = ({ embeds }: APIMessage) => embeds[0]?.thumbnail != null;
  const list = await run(world.member, 'jobs', { search: 'fox' });
  await sees(world.member, (message) => message.id === list.id && hasPictures(message));
  // The pictures of the second are known by now, that of the first has to be looked for.
  world.discord.faults.add({ next: oneCall.look, effect: { slowMs: 200 * world.clock.factor } });
  await Promise.all([
    world.member.press(list.id, buttonOf(list, en.jobs.next)),
    world.member.press(list.id, buttonOf(list, en.jobs.everything)),
  ]);
  const isSecond = ({ id, content, embeds }: APIMessage) =>
    id === list.id && !content.includes('fox') && embeds.length === 5;
  await sees(world.member, (message) => isSecond(message) && hasPictures(message));
  // Discord is asked for one picture of a channel after the other.
  const other = await run(moderator, 'jobs');
  await sees(moderator, (message) => message.id === other.id && hasPictures(message));
  expect(world.member.message(list.id)?.embeds).toHaveLength(5);
});

/** A picture that Discord has refused everywhere, and takes by now. */
async function waitingWorld(options: BotWorldOptions = {}, image?: Awaited<ReturnType<typeof photograph>>) {
  const world = await botWorld(options);
  world.discord.world.setInstalled(MEMBER, BOT, true);
  world.discord.world.openDirectMessages(MEMBER, false);
  for (const match of [calls.reply, calls.edit, calls.post])
    world.discord.faults.add({ every: match, effect: refusal(403, 50001) });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a lost fox', ...(image ? { image } : SMALL) });
  await world.logs('the outcome waits');
  world.discord.faults.clear();
  return world;
}

/** The picture that waits, once Show has brought it here. */
async function shownFirst({ member, ended }: BotWorld, here = CHANNEL): Promise<APIMessage> {
  const list = await settled(await member.invoke(here, 'jobs'), member);
  expect(listedIn(list)[0]).toContain(en.jobs.state.waiting);
  const shown = messageOf(await member.press(list.id, buttonOf(list, en.jobs.show(1))));
  const outcome = await ended(shown.id);
  expect(outcome.attachments).toHaveLength(1);
  return outcome;
}

test.each([
  ['in a direct message', undefined],
  ['in a server without the bot', OTHER_CHANNEL],
  ['in a private channel', PRIVATE_CHANNEL],
] as const)('what could not be delivered comes out in the list %s', async (_, channelId) => {
  const world = await waitingWorld();
  const here = channelId ?? world.member.openDirectMessage(BOT).id;
  const outcome = await shownFirst(world, here);
  expect(outcome.channel_id).toBe(here);
});

test.each([
  ['new pictures are paused', { paused: true }],
  ['pictures of one’s own are off', { ownPictures: false }],
  ['a word of its prompt is blocked', { blockedWords: ['fox'] }],
])('what could not be delivered is shown to its member only where %s by now', async (_, settings) => {
  const storeUrl = await storeWithSettings({});
  const world = await waitingWorld({ service: { engine: editingEngine() }, storeUrl }, await photograph());
  await world.stopBot();
  await changeSettings(storeUrl, settings);
  await world.startBot();
  expect(isEphemeral(await shownFirst(world))).toBe(true);
});

test('what could not be delivered is shown to its member only where they are blocked by now', async () => {
  const world = await waitingWorld();
  await run(world.as(MODERATOR), 'moderate block', { member: MEMBER });
  expect(isEphemeral(await shownFirst(world))).toBe(true);
});

test('what could not be delivered is shown to everybody while the key of its member is not accepted', async () => {
  const world = await waitingWorld();
  await linkLostKey(world);
  expect(isEphemeral(await shownFirst(world))).toBe(false);
});
