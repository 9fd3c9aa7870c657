import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  refusalOfPick,
  SECOND_CHANNEL,
  sees,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import type { BotWorld } from '../support/bot.ts';
import { askedToDelete, buttonOf, buttonRow, deleteBy, picked, underMore } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { settled } from '../support/ephemeral-reply.ts';
import { begun, contentOf, labelsOf, pictureWorld, selectOf } from '../support/picture-world.ts';
import { startedJob } from '../support/started-job.ts';
import { createStoreWorld } from '../support/store.ts';

/** Longer than the service keeps a picture. */
const LONG_MS = 30 * 24 * HOUR_MS;
const { actions, source, picture: texts } = en;

type PictureWorld = Awaited<ReturnType<typeof pictureWorld>>;

/** Does `work`, by which nothing is paid. */
async function unpaid({ service }: Pick<BotWorld, 'service'>, work: () => Promise<void>): Promise<void> {
  const before = await service.balance();
  await work();
  expect(await service.balance()).toBe(before);
}

/** Waits until nobody sees a message any more, and what its deletion says is said. */
async function isDeleted(message: APIMessage, user: UserClient): Promise<void> {
  await expect.poll(() => user.message(message.id)).toBeUndefined();
  await sees(user, ({ content }) => content === actions.deleted);
}

async function menuOf({ member }: Pick<PictureWorld, 'member'>, message: APIMessage): Promise<APIMessage> {
  return settled(await member.invokeOn(CHANNEL, actions.menu.use, message.id), member);
}

test.each([
  ['its member', MEMBER],
  ['a moderator', MODERATOR],
])('nothing is made any more of a picture that %s has deleted', async (_, id) => {
  const world = await pictureWorld();
  const { picture, member, as } = world;
  const more = await underMore(picture, member);
  const menu = await menuOf(world, picture);
  await deleteBy(picture, as(id));
  await isDeleted(picture, as(id));
  // What was written holds where Discord says nothing.
  world.discord.faults.add({ every: calls.look, effect: { status: 500 } });
  await unpaid(world, async () => {
    for (const label of [source.upscale(4), source.varyStrongly, source.removeBackground])
      expect(contentOf(await member.press(more.id, buttonOf(more, label)))).toBe(actions.removed);
    const wider = member.select(more.id, selectOf(more, 'expand'), ['right']);
    expect((await refusalOfPick(member, wider)).content).toBe(actions.removed);
    expect(contentOf(await member.press(menu.id, buttonOf(menu, source.upscale(2))))).toBe(actions.removed);
    const used = await member.invokeOn(CHANNEL, actions.menu.use, more.id);
    expect(contentOf(used)).toBe(actions.removed);
  });
});

test.each([
  ['en-GB', en],
  ['de', de],
])(
  'what somebody has deleted without the bot is made no more either: %s',
  async (locale, { actions, source, editForm }) => {
    const world = await pictureWorld({}, { discord: { world: worldWhere(MEMBER, locale) } });
    const { picture, member, discord } = world;
    const menu = await menuOf(world, picture);
    discord.world.deleteMessage(picture.id);
    await unpaid(world, async () => {
      const larger = await member.press(menu.id, buttonOf(menu, source.upscale(4)));
      expect(contentOf(larger)).toBe(actions.removed);
    });
    const opened = await member.press(menu.id, buttonOf(menu, actions.edit));
    if (opened.kind !== 'modal') throw new Error(opened.kind);
    const fields = JSON.stringify(opened.modal);
    expect(fields).toContain(editForm.prompt);
    expect(fields).not.toContain(source.form.change);
  },
);

test('one of several pictures that were deleted is neither shown nor posted alone', async () => {
  const world = await pictureWorld({ count: 2 });
  const { picture, member } = world;
  const menu = await menuOf(world, picture);
  const question = await askedToDelete(picture, member);
  const one = await picked(picture, member, 1);
  await member.press(question.id, buttonOf(question, actions.delete));
  await isDeleted(picture, member);
  const alone = await member.press(one.id, buttonOf(one, actions.postAlone));
  expect(contentOf(alone)).toBe(actions.removed);
  const again = member.select(menu.id, selectOf(menu, 'pick'), ['1']);
  expect((await refusalOfPick(member, again)).content).toBe(actions.removed);
});

test('what was posted alone stays a picture when the others are deleted', async () => {
  const world = await pictureWorld({ count: 2 });
  const { picture, member } = world;
  const question = await askedToDelete(picture, member);
  const one = await picked(picture, member, 1);
  await member.press(one.id, buttonOf(one, actions.postAlone));
  const alone = await sees(member, ({ content }) => content.includes('Picture 1 of'));
  await member.press(question.id, buttonOf(question, actions.delete));
  await isDeleted(picture, member);
  const varied = await begun(await member.press(alone.id, buttonOf(alone, actions.vary)), world);
  expect(varied.attachments).toHaveLength(2);
});

/** By whom a message is deleted, and how. */
const REMOVALS = [
  ['a moderator by the bot', deleteBy],
  [
    'somebody without the bot',
    async (picture: APIMessage, _: UserClient, { discord }: PictureWorld) =>
      discord.world.deleteMessage(picture.id),
  ],
] as const;

test.each(REMOVALS)(
  'everything is made of what stands alone when %s has deleted the others',
  async (_, remove) => {
    const world = await pictureWorld({ count: 2 });
    const { picture, member, as, discord, clock } = world;
    const menu = await menuOf(world, picture);
    const one = await picked(picture, member, 1);
    const other = await picked(picture, member, 2);
    await member.press(one.id, buttonOf(one, actions.postAlone));
    const alone = await sees(member, ({ content }) => content.includes('Picture 1 of'));
    const before = await underMore(alone, member);
    await remove(picture, as(MODERATOR), world);
    await expect.poll(() => member.message(picture.id)).toBeUndefined();
    const used = await menuOf(world, alone);
    expect(labelsOf(used).flat()).toContain(source.upscale(2));
    for (const [message, label] of [
      [one, source.upscale(4)],
      [before, source.upscale(4)],
      [await underMore(alone, member), source.varyStrongly],
      [used, source.upscale(2)],
    ] as const) {
      await begun(await member.press(message.id, buttonOf(message, label)), world);
      // The same of the same picture within a moment would be one press.
      clock.advance(MINUTE_MS);
    }
    const again = await member.select(menu.id, selectOf(menu, 'pick'), ['0']);
    expect(contentOf(again)).not.toBe(actions.removed);
    await unpaid(world, async () => {
      expect(contentOf(await member.press(other.id, buttonOf(other, source.upscale(2))))).toBe(
        actions.removed,
      );
    });
    discord.world.deleteMessage(alone.id);
    await unpaid(world, async () => {
      expect(contentOf(await member.press(used.id, buttonOf(used, source.upscale(2))))).toBe(actions.removed);
    });
  },
);

test('what stands alone is posted once, also where that cannot be written', async () => {
  const { url, sql } = await createStoreWorld();
  const world = await pictureWorld({ count: 2 }, { storeUrl: url, clock: createFastClock({ factor: 1 }) });
  const { picture, member } = world;
  const one = await picked(picture, member, 1);
  for (const change of ['INSERT', 'UPDATE'])
    await sql(
      `CREATE TRIGGER full_${change} BEFORE ${change} ON bot_rows WHEN NEW.value LIKE '%alone%' BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
  const post = () => member.press(one.id, buttonOf(one, actions.postAlone));
  await post();
  const alone = await sees(member, ({ content }) => content.includes('Picture 1 of'));
  await world.logs('disk full');
  await post();
  await underMore(alone, member);
  const said = member.messages(CHANNEL).map(({ content }) => plain(content));
  expect(said.filter((content) => content.includes('Picture 1 of'))).toHaveLength(1);
  expect(said.join()).not.toContain('My own storage');
});

test('the first press after the others were deleted without the bot takes the picture that stands alone', async () => {
  const world = await pictureWorld({ count: 2 });
  const { picture, member, discord, clock } = world;
  const one = await picked(picture, member, 1);
  await member.press(one.id, buttonOf(one, actions.postAlone));
  const alone = await sees(member, ({ content }) => content.includes('Picture 1 of'));
  const more = await underMore(alone, member);
  clock.advance(LONG_MS);
  discord.world.deleteMessage(picture.id);
  const larger = await begun(await member.press(more.id, buttonOf(more, source.upscale(2))), world);
  expect(larger.attachments).toHaveLength(1);
});

test('a picture that was published and deleted is not published again, its words may be used', async () => {
  const world = await pictureWorld({ private: true });
  const { picture, member, as } = world;
  const more = await underMore(picture, member);
  const publish = () => member.press(picture.id, buttonOf(picture, actions.publish));
  await publish();
  const moderator = as(MODERATOR);
  const shown = await sees(moderator, ({ attachments }) => attachments.length > 0);
  await deleteBy(shown, moderator);
  await isDeleted(shown, moderator);
  await unpaid(world, async () => {
    expect(contentOf(await publish())).toBe(actions.removed);
    const larger = await member.press(more.id, buttonOf(more, source.upscale(4)));
    expect(contentOf(larger)).toBe(actions.removed);
  });
  const again = await begun(await member.press(more.id, buttonOf(more, texts.again)), world);
  expect(again.attachments).toHaveLength(1);
});

test('a private picture is deleted for good as well', async () => {
  const world = await pictureWorld({ private: true });
  const { picture, member } = world;
  const more = await underMore(picture, member);
  await deleteBy(picture, member);
  await isDeleted(picture, member);
  expect(contentOf(await member.press(more.id, buttonOf(more, source.upscale(4))))).toBe(actions.removed);
});

test.each(REMOVALS)(
  'what %s has deleted while its form was open is not changed any more, and the words are kept',
  async (_, remove) => {
    const world = await pictureWorld();
    const { picture, member, as } = world;
    const form = await member.press(picture.id, buttonOf(picture, actions.edit));
    if (form.kind !== 'modal') throw new Error(form.kind);
    const moderator = as(MODERATOR);
    await remove(picture, moderator, world);
    await expect.poll(() => moderator.message(picture.id)).toBeUndefined();
    await unpaid(world, async () => {
      const refused = messageOf(await member.submitModal(form.interactionId, { change: 'in the rain' }));
      expect(refused.content).toBe(actions.removed);
      const words = JSON.stringify(await member.press(refused.id, buttonOf(refused, actions.edit)));
      expect(words).toContain('a red fox, in the rain');
      expect(words).not.toContain(source.form.picture);
    });
  },
);

test('what was made of a picture is not made again from it once that one is deleted', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const form = await member.press(picture.id, buttonOf(picture, actions.edit));
  if (form.kind !== 'modal') throw new Error(form.kind);
  const child = await begun(await member.submitModal(form.interactionId, { change: 'in the rain' }), world);
  const again = (made: APIMessage) => member.press(made.id, buttonOf(made, texts.again));
  const grandchild = await begun(await again(child), world);
  await deleteBy(picture, member);
  await isDeleted(picture, member);
  await unpaid(world, async () => {
    for (const made of [child, grandchild]) expect(contentOf(await again(made))).toBe(actions.removed);
  });
  const more = await underMore(child, member);
  const larger = await member.press(more.id, buttonOf(more, source.upscale(4)));
  expect((await begun(larger, world)).attachments).toHaveLength(1);
});

test('a private picture whose deletion Discord has not confirmed is taken for deleted', async () => {
  const world = await pictureWorld({ private: true });
  const { picture, member, discord } = world;
  const more = await underMore(picture, member);
  const question = await askedToDelete(picture, member);
  discord.faults.add({ every: ({ method }) => method === 'DELETE', effect: 'answer-lost' });
  await member.press(question.id, buttonOf(question, actions.delete));
  await world.reads(actions.notDeleted);
  expect(member.message(picture.id)).toBeUndefined();
  expect(contentOf(await member.press(more.id, buttonOf(more, source.upscale(4))))).toBe(actions.removed);
});

test('a press while Discord deletes a picture does not make it one that stands', async () => {
  const world = await pictureWorld();
  const { picture, member, discord, clock } = world;
  const more = await underMore(picture, member);
  const isDeletion = ({ method }: { method: string }) => method === 'DELETE';
  discord.faults.add({ every: isDeletion, effect: { slowMs: 5 * MINUTE_MS } });
  await deleteBy(picture, member);
  await expect.poll(() => discord.requests.list(isDeletion)).toHaveLength(1);
  await begun(await member.press(more.id, buttonOf(more, source.upscale(4))), world);
  clock.advance(5 * MINUTE_MS);
  await isDeleted(picture, member);
  discord.faults.add({ every: calls.look, effect: { status: 503 } });
  expect(contentOf(await member.press(more.id, buttonOf(more, source.upscale(4))))).toBe(actions.removed);
});

test('a picture that Discord does not let anybody delete can be used as before', async () => {
  const world = await pictureWorld();
  const { picture, member, discord } = world;
  const more = await underMore(picture, member);
  const question = await askedToDelete(picture, member);
  discord.faults.add({ every: ({ method }) => method === 'DELETE', effect: refusal(403, 50013) });
  await member.press(question.id, buttonOf(question, actions.delete));
  await world.reads(actions.notDeleted);
  const larger = await member.press(more.id, buttonOf(more, source.upscale(4)));
  expect((await begun(larger, world)).attachments).toHaveLength(1);
});

test('a picture that is still there after Discord had failed to delete it can be used as before', async () => {
  const world = await pictureWorld();
  const { picture, member, discord } = world;
  const more = await underMore(picture, member);
  const question = await askedToDelete(picture, member);
  discord.faults.add({ every: ({ method }) => method === 'DELETE', effect: { status: 503 } });
  await member.press(question.id, buttonOf(question, actions.delete));
  await world.reads(actions.notDeleted);
  discord.faults.clear();
  const makes = (message: APIMessage, by: number) =>
    member.press(message.id, buttonOf(message, source.upscale(by)));
  const pressed = [await makes(picture, 2), await makes(more, 4)];
  expect(pressed.map(contentOf)).not.toContain(actions.removed);
  for (const larger of pressed) expect((await begun(larger, world)).attachments).toHaveLength(1);
});

test('a private picture is not called deleted where a restart has taken what could delete it', async () => {
  const world = await pictureWorld({ private: true });
  const { picture, member } = world;
  const more = await underMore(picture, member);
  const question = await askedToDelete(picture, member);
  await world.restartBot();
  await member.press(question.id, buttonOf(question, actions.delete));
  await world.reads(actions.notDeleted);
  expect(member.message(picture.id)?.attachments).toHaveLength(1);
  const larger = await member.press(more.id, buttonOf(more, source.upscale(4)));
  expect((await begun(larger, world)).attachments).toHaveLength(1);
});

test('a forged button in another channel makes nobody’s picture a deleted one', async () => {
  const world = await pictureWorld();
  const { picture, member, as } = world;
  const more = await underMore(picture, member);
  const job = `${/imagine:more:(\d+):/.exec(JSON.stringify(picture.components))?.[1]}`;
  const session = await world.login();
  const forged = `imagine:remove:${MODERATOR}:${picture.id}:${job}`;
  const body = { content: 'forged', components: [buttonRow(forged).toJSON()] };
  const planted = (await session.rest.post(Routes.channelMessages(SECOND_CHANNEL), { body })) as APIMessage;
  const moderator = as(MODERATOR);
  await moderator.press(planted.id, forged);
  await expect.poll(() => moderator.message(planted.id)?.content).toBe(actions.notDeleted);
  const larger = await member.press(more.id, buttonOf(more, source.upscale(4)));
  expect((await begun(larger, world)).attachments).toHaveLength(1);
  await session.destroy();
});

test('what may be posted again is not offered to be deleted before', async () => {
  const world = await startedJob();
  const { discord, member, reply } = world;
  discord.faults.add({ every: calls.reply, effect: 'answer-lost' });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  world.clock.advance(11 * MINUTE_MS);
  await world.logs('"waitReason":"unconfirmed"');
  discord.faults.clear();
  const [picture = reply] = world.seen();
  const more = await underMore(picture, member);
  expect(labelsOf(more).flat()).not.toContain(actions.delete);
  const refused = await settled(await member.invokeOn(CHANNEL, actions.menu.delete, picture.id), member);
  expect(refused.content).toBe(actions.notFinished);
});
