import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '@darkroom/time';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { calls, oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  MODERATOR,
  PRIVATE_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, type BotWorldOptions, botWorld } from '../support/bot.ts';
import { buttonOf, deleteBy, underMore } from '../support/buttons.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { labelsOf } from '../support/picture-world.ts';

/** A private picture, in a message that stands in its member's client. */
async function privateWorld(options: BotWorldOptions = {}) {
  const world = await botWorld(options);
  const picture = await world.imagined({ prompt: 'a red fox', private: true, size: '64x64' });
  // It is seen before its end is written.
  const offered = async () => labelsOf(await run(world.member, 'jobs')).flat();
  await expect.poll(offered).toContain(en.jobs.show(1));
  return { ...world, picture };
}

/** What Discord's client shows after Show in /jobs. */
async function shownAgain({ member, ended }: BotWorld, channelId = CHANNEL): Promise<APIMessage> {
  const list = await settled(await member.invoke(channelId, 'jobs'), member);
  return ended(messageOf(await member.press(list.id, buttonOf(list, en.jobs.show(1)))).id);
}

test('a private picture that is gone from the client of its member is shown to them again, and nothing is made for it', async () => {
  const world = await privateWorld();
  const before = await world.attached(world.picture);
  world.member.dismiss(world.picture.id);
  await world.restartBot();
  const shown = await shownAgain(world);
  expect(isEphemeral(shown)).toBe(true);
  expect(labelsOf(shown)).toEqual(labelsOf(world.picture));
  expect(await world.attached(shown)).toEqual(before);
  expect(shown.embeds).toEqual(world.picture.embeds);
  expect(await world.pictures()).toHaveLength(1);
  expect(world.as(MODERATOR).messages(CHANNEL)).toEqual([]);
  expect((await underMore(shown, world.member)).embeds[0]?.title).toBe(en.actions.details);
  await world.member.press(shown.id, buttonOf(shown, en.actions.publish));
  await expect.poll(() => world.as(MODERATOR).messages(CHANNEL)).toHaveLength(1);
});

test('a private picture is shown again in another place, as often as its member likes', async () => {
  const world = await privateWorld();
  world.discord.world.setInstalled(MEMBER, BOT, true);
  for (const channelId of [PRIVATE_CHANNEL, world.member.openDirectMessage(BOT).id]) {
    const shown = await shownAgain(world, channelId);
    expect(shown.channel_id).toBe(channelId);
    expect(shown.attachments).toHaveLength(1);
    expect(isEphemeral(shown)).toBe(true);
  }
});

test('a private picture is published once, whichever of its messages Publish is pressed under', async () => {
  const world = await privateWorld();
  const { member, picture, clock } = world;
  const told = () =>
    member.messages(CHANNEL).filter(({ content }) => content.includes('Everybody can see it'));
  const messages = [await shownAgain(world), picture];
  for (const [nth, message] of messages.entries()) {
    await member.press(message.id, buttonOf(message, en.actions.publish));
    await expect.poll(told).toHaveLength(nth + 1);
    // Sooner it is a double click.
    clock.advance(MINUTE_MS);
  }
  expect(world.as(MODERATOR).messages(CHANNEL)).toHaveLength(1);
});

test.each([
  ['the first', 0],
  ['the last', 1],
] as const)(
  'a private picture is not shown again where its member has deleted %s message with it',
  async (_, nth) => {
    const world = await privateWorld();
    const deleted = [world.picture, await shownAgain(world)][nth];
    if (!deleted) throw new Error('no message');
    await deleteBy(deleted, world.member);
    await world.reads(en.actions.deleted);
    const list = await run(world.member, 'jobs');
    expect(list.embeds[0]?.description).toContain(en.jobs.gone);
    expect(labelsOf(list).flat()).not.toContain(en.jobs.show(1));
  },
);

test('a private picture is shown again to a member who is blocked by now', async () => {
  const world = await privateWorld();
  await run(world.as(MODERATOR), 'moderate block', { member: MEMBER });
  expect((await shownAgain(world)).attachments).toHaveLength(1);
});

test('a private picture is shown again once, where Discord loses the answer to that', async () => {
  const world = await privateWorld();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: 'answer-lost' });
  expect((await shownAgain(world)).attachments).toHaveLength(1);
  await expect
    .poll(() => world.discord.requests.list(calls.reply).filter(({ hasFiles }) => hasFiles).length)
    .toBe(3);
});

test.each([
  [
    'has lost',
    async ({ service }: BotWorld) => {
      const folder = join(service.folder, 'pictures');
      for (const name of await readdir(folder)) await rm(join(folder, name));
    },
  ],
  ['is down for', ({ service }: BotWorld) => service.service.close()],
] as const)(
  'a private picture that the service %s is said not to be handed out now, and is offered anew',
  async (_, lose) => {
    const world = await privateWorld();
    await lose(world);
    const list = await run(world.member, 'jobs');
    await world.member.press(list.id, buttonOf(list, en.jobs.show(1)));
    expect(labelsOf(await world.reads(en.jobs.notHandedOut))).toEqual([[en.picture.again]]);
  },
);

test('a private picture that the service no longer keeps, by its own word, is not offered to be shown again', async () => {
  const world = await privateWorld();
  world.clock.advance(60 * DAY_MS);
  const list = await run(world.member, 'jobs');
  expect(list.embeds[0]?.description).toContain(en.jobs.lost);
  expect(labelsOf(list).flat()).toContain(en.jobs.again(1));
  expect(labelsOf(list).flat()).not.toContain(en.jobs.show(1));
});
