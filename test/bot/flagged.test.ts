import { DAY_MS, MINUTE_MS } from '@darkroom/time';
import { MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { answer, html } from '../../packages/image-api/test/support/behaviours.ts';
import type { Behaviour } from '../../packages/image-api/test/support/exchange.ts';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  smallWorld,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { en } from '../../src/messages/locale/en.ts';
import type { BotWorldOptions } from '../support/bot.ts';
import { buttonOf, picked } from '../support/buttons.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { faultyServiceWorld } from '../support/faulty-service.ts';
import { contentOf } from '../support/picture-world.ts';

const [AGE_RESTRICTED, ITS_THREAD, THREAD] = [
  '500000000000000011',
  '500000000000000012',
  '500000000000000013',
] as const;

/** The small world, with a channel for adults, and threads. */
const world = {
  ...smallWorld,
  guilds: (smallWorld.guilds ?? []).map((guild) => ({
    ...guild,
    channels:
      guild.id === GUILD
        ? [
            ...guild.channels,
            { id: AGE_RESTRICTED, name: 'after-dark', nsfw: true },
            { id: ITS_THREAD, name: 'after-dark-thread', parentId: AGE_RESTRICTED },
            { id: THREAD, name: 'thread', parentId: CHANNEL },
          ]
        : guild.channels,
  })),
};

/** A task that is completed, with what the service says of its picture. */
const completed =
  (said: Record<string, unknown>): Behaviour =>
  (exchange) => {
    const id = exchange.request.query.get('task_id');
    const result = { image_url: `${exchange.baseUrl}/pictures/${id}.png`, ...said };
    return answer({ id, status: 'completed', created_at: null, result })(exchange);
  };

/** A task under way, with a preview of its picture. */
const developing: Behaviour = (exchange) => {
  const id = exchange.request.query.get('task_id');
  const preview_url = `${exchange.baseUrl}/pictures/preview.png`;
  return answer({ id, status: 'processing', created_at: null, progress: 50, preview_url })(exchange);
};

/** A server that has decided what happens to a flagged picture. */
async function flaggedWorld(
  said: Record<string, unknown>,
  flagged: GuildSettings['flagged'],
  options: BotWorldOptions = {},
) {
  const bot = await faultyServiceWorld(
    {
      status: [completed(said)],
      capabilities: answer({ workflows: [{ name: 'default', operations: { upscale: {} } }] }),
    },
    { discord: { world }, operatorScope: { outside: true }, ...options },
  );
  const moderator = bot.as(MODERATOR);
  async function decide(what: GuildSettings['flagged']): Promise<void> {
    const panel = await run(moderator, 'settings panel');
    await moderator.select(panel.id, 'settings:section', ['moderation']);
    await moderator.select(panel.id, 'settings:pick:flagged:moderation', [what]);
  }
  await decide(flagged);
  return { ...bot, decide };
}

test.each([
  [{ nsfw: true }, 'spoiler', true],
  [{ flagged: '1' }, 'spoiler', true],
  [{ nsfw: false }, 'spoiler', false],
  [{}, 'spoiler', false],
  [{ nsfw: true }, 'show', false],
] as const)('of a picture with %j a server that says %s hides it: %s', async (said, flagged, hidden) => {
  const world = await flaggedWorld(said, flagged);
  const ended = await world.ended((await world.ask()).id);
  expect(ended.attachments).toHaveLength(1);
  expect(ended.attachments[0]?.filename.startsWith('SPOILER_')).toBe(hidden);
});

test('a flagged picture goes to its member alone where the server says so', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  const reply = await world.ask();
  const told = await world.reads(en.handover.direct);
  expect(told.id).toBe(reply.id);
  expect(told.attachments).toEqual([]);
  const direct = world.member.messages(world.member.openDirectMessage(BOT).id);
  expect(direct.flatMap(({ attachments }) => attachments)).toHaveLength(1);
});

test.each([
  ['spoiler', { nsfw: true }, {}],
  ['show', {}, { spoiler: true }],
] as const)(
  'where the server says %s the link to a picture of %j, asked for with %j, is hidden as the picture would be',
  async (flagged, said, options) => {
    const world = await flaggedWorld(said, flagged);
    world.hostile.script('status', completed(said));
    world.hostile.script('picture', html(404));
    const { content } = await world.imagined({ prompt: 'a red fox', ...options });
    expect(content).toMatch(/\|\|<[^|]+\/pictures\/[^|]+>\|\|/);
  },
);

test('the link to a flagged picture goes to its member alone where the server says so', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  world.hostile.script('picture', html(404));
  await world.ask();
  await world.reads(en.handover.direct);
  const said = (channel: string) => JSON.stringify(world.member.messages(channel));
  expect(said(CHANNEL)).not.toContain('/pictures/');
  expect(said(world.member.openDirectMessage(BOT).id)).toContain('/pictures/');
});

test('one of several flagged pictures is posted alone as the server says now', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'show');
  const { member } = world;
  world.hostile.script('status', completed({ nsfw: true }));
  const pictures = await world.imagined({ prompt: 'a red fox', count: 2 });
  const one = await picked(pictures, member, 1);
  const post = () => member.press(one.id, buttonOf(one, en.actions.postAlone));
  await world.decide('private');
  expect(contentOf(await post())).toBe(en.actions.publishFlagged);
  await world.decide('spoiler');
  await post();
  const alone = await world.reads('Picture 1 of');
  expect(alone.attachments[0]?.filename).toMatch(/^SPOILER_/);
});

test('where direct messages are closed it waits in /jobs, and is shown to its member only', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  world.discord.world.openDirectMessages(MEMBER, false);
  await world.ask();
  await world.reads(en.handover.waiting);
  await world.logs('the outcome waits for its member');
  const listed = await run(world.member, 'jobs');
  const shown = messageOf(await world.member.press(listed.id, buttonOf(listed, en.jobs.show(1))));
  const ended = await world.ended(shown.id);
  expect(Number(ended.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(ended.attachments).toHaveLength(1);
});

test.each([
  ['in an age-restricted channel', AGE_RESTRICTED, 'private', false],
  ['in a thread of one', ITS_THREAD, 'private', false],
  ['in a thread of another channel', THREAD, 'spoiler', true],
  ['in a direct message', undefined, 'show', true],
] as const)(
  '%s a flagged picture is shown, behind a spoiler where that is not for adults',
  async (_, at, flagged, hidden) => {
    const world = await flaggedWorld({ nsfw: true }, flagged);
    const ended = await world.ended((await world.ask(at ?? world.member.openDirectMessage(BOT).id)).id);
    expect(ended.attachments[0]?.filename.startsWith('SPOILER_')).toBe(hidden);
  },
);

test('a thread is taken for one also where the service is first asked what it offers', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'spoiler');
  // By then nobody knows any more what it offers.
  world.clock.advance(11 * MINUTE_MS);
  const ended = await world.ended((await world.ask(ITS_THREAD)).id);
  expect(ended.attachments[0]?.filename.startsWith('SPOILER_')).toBe(false);
});

test('that Discord did not say whether a channel is age-restricted holds for that once', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'spoiler');
  const hiddenIn = async (channel: string) =>
    (await world.ended((await world.ask(channel)).id)).attachments[0]?.filename.startsWith('SPOILER_');
  const every = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path === `/channels/${AGE_RESTRICTED}`;
  world.discord.faults.add({ every, effect: { status: 503 } });
  expect(await hiddenIn(ITS_THREAD)).toBe(true);
  world.discord.faults.clear();
  expect(await hiddenIn(ITS_THREAD)).toBe(false);
});

test('a flagged picture that was private is shown to its member again as the place hides it', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'spoiler');
  const { member } = world;
  world.hostile.script('status', completed({ nsfw: true }));
  const options = { prompt: 'a red fox', private: true };
  const picture = await world.imagined(options, { channelId: AGE_RESTRICTED });
  expect(picture.attachments[0]?.filename).not.toMatch(/^SPOILER_/);
  await world.logs('"msg":"delivered"');
  const list = await settled(await member.invoke(member.openDirectMessage(BOT).id, 'jobs'), member);
  const shown = messageOf(await member.press(list.id, buttonOf(list, en.jobs.show(1))));
  expect((await world.ended(shown.id)).attachments[0]?.filename).toMatch(/^SPOILER_/);
});

test('a flagged picture that waits is not shown to others where Show is pressed outside of age-restricted channels', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  world.discord.world.openDirectMessages(MEMBER, false);
  for (const match of [calls.reply, calls.edit, calls.post]) {
    world.discord.faults.add({ every: match, effect: refusal(403, 50001) });
  }
  await world.ask(AGE_RESTRICTED);
  await world.logs('the outcome waits for its member');
  world.discord.faults.clear();
  const listed = await run(world.member, 'jobs');
  const shown = messageOf(await world.member.press(listed.id, buttonOf(listed, en.jobs.show(1))));
  const ended = await world.ended(shown.id);
  expect(Number(ended.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(ended.attachments).toHaveLength(1);
});

test('what is made of a flagged picture stays behind a spoiler, whatever the service says of it', async () => {
  // The previews are looked at for as long as that takes.
  const world = await flaggedWorld({ nsfw: true }, 'spoiler', { timeoutMs: DAY_MS });
  const other = world.as(MODERATOR);
  let picture = await world.ended((await world.ask()).id);
  const names = (id: string) => other.message(id)?.attachments.map(({ filename }) => filename);
  for (const _step of ['larger', 'larger still']) {
    world.hostile.script('status', developing);
    const { id } = messageOf(await other.press(picture.id, buttonOf(picture, en.source.upscale(2))));
    await expect.poll(() => names(id)).toEqual(['SPOILER_preview-1.png']);
    world.hostile.script('status', completed({}));
    picture = await world.ended(id);
    expect(names(id)).toEqual([expect.stringMatching(/^SPOILER_darkroom-/)]);
    world.clock.advance(3_001);
  }
});

test('nor does it become public where the server shows flagged pictures to their member alone', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  const { member } = world;
  world.hostile.script('status', completed({ nsfw: true }));
  const hidden = await world.imagined({ prompt: 'a red fox', private: true });
  world.hostile.script('status', completed({}));
  const begun = messageOf(await member.press(hidden.id, buttonOf(hidden, en.source.upscale(2))));
  const larger = await world.ended(begun.id);
  for (const picture of [hidden, larger]) {
    const refused = await member.press(picture.id, buttonOf(picture, en.actions.publish));
    expect(contentOf(refused)).toBe(en.actions.publishFlagged);
  }
});
