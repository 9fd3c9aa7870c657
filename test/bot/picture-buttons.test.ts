import { DAY_MS } from '@darkroom/time';
import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  ALL_OPERATIONS,
  editingEngine,
  instantEngine,
  paintNoise,
} from '../../packages/image-service/test/support/engines.ts';
import { calls } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  sees,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import type { BotWorld } from '../support/bot.ts';
import { buttonOf, buttonRow, picked, underMore } from '../support/buttons.ts';
import { fillIn } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { begun, contentOf, footerOf, labelsOf, pictureWorld, selectOf } from '../support/picture-world.ts';

const { actions, source, picture: texts } = en;

/** Longer than the service keeps a picture. */
const LONG_MS = 30 * DAY_MS;

/** A member who pays with a key of their own from now on. */
async function withOwnKey({ as, service }: Pick<BotWorld, 'as' | 'service'>) {
  const user = as(MODERATOR);
  const { key } = await service.addAccount();
  await fillIn(user, await user.invoke(CHANNEL, 'apikey link', {}), key);
  return user;
}

const pixelsOf = (bytes: Uint8Array | undefined) => sharp(bytes).removeAlpha().raw().toBuffer();

const used = async (world: Pick<BotWorld, 'member'>, message: APIMessage): Promise<APIMessage> => {
  const offered = messageOf(await world.member.invokeOn(CHANNEL, actions.menu.use, message.id));
  return offered;
};

test('what the service keeps no more is made from the message, behind More and in the menu of the message', async () => {
  const world = await pictureWorld();
  const { picture, member, clock } = world;
  clock.advance(LONG_MS);
  const more = await underMore(picture, member);
  const larger = await begun(await member.press(more.id, buttonOf(more, source.upscale(4))), world);
  expect(footerOf(larger)).toContain('256 × 384');
  const offered = await used(world, picture);
  const id = selectOf(offered, 'expand');
  const wider = await begun(await member.select(offered.id, id, ['right']), world);
  expect(footerOf(wider)).toContain('96 × 96');
});

test.each([
  ['en-GB', en],
  ['de', de],
])('who uses a picture of the bot is asked what to make of it: %s', async (locale, texts) => {
  const { picture, member } = await pictureWorld({}, { discord: { world: worldWhere(MEMBER, locale) } });
  const offered = await member.invokeOn(CHANNEL, actions.menu.use, picture.id);
  expect(contentOf(offered)).toBe(texts.source.what());
});

test('who pays is found out while Discord still looks for the message of a picture', async () => {
  const world = await pictureWorld();
  const { picture, member, discord, clock } = world;
  const menu = await used(world, picture);
  // Who pays depends on whether the bot is a member, which holds for a minute.
  clock.advance(2 * 60_000);
  discord.requests.clear();
  const answeredBefore: number[] = [];
  discord.faults.add({
    every({ path }) {
      const answered = discord.requests.list((one) => calls.look(one) && one.status !== null);
      if (path === '/users/@me/guilds') answeredBefore.push(answered.length);
      return false;
    },
    effect: 'reset',
  });
  discord.faults.add({ every: calls.look, effect: { slowMs: 500 * clock.factor } });
  await begun(await member.press(menu.id, buttonOf(menu, source.upscale(2))), world);
  expect(answeredBefore).toEqual([0]);
});

test('of several pictures that the service keeps no more, the one that was meant is made from the message', async () => {
  const world = await pictureWorld({ count: 2 }, {}, editingEngine(ALL_OPERATIONS, paintNoise));
  const { picture, member, clock, engine } = world;
  const [, second] = await Promise.all([world.attached(picture), world.attached(picture, 1)].map(pixels));
  clock.advance(LONG_MS);
  const one = await picked(await used(world, picture), member, 2);
  await begun(await member.press(one.id, buttonOf(one, source.removeBackground)), world);
  expect(await pixelsOf(engine.drawn.at(-1)?.inputs[0])).toEqual(second);
});

const pixels = async (bytes: Promise<Uint8Array>) => pixelsOf(await bytes);

test('under a picture stands only what its server lets be made of it', async () => {
  const offeredWhere = async (settings: Parameters<typeof storeWithSettings>[0]) => {
    const { picture, member } = await pictureWorld(
      {},
      {
        service: { engine: instantEngine(), rr3Engine: editingEngine() },
        storeUrl: await storeWithSettings(settings),
      },
    );
    return [...labelsOf(picture), ...labelsOf(await underMore(picture, member))].flat();
  };
  const anything = [source.varySubtly, source.upscale(2), source.upscale(4), source.expand];
  expect(await offeredWhere({})).toEqual(expect.arrayContaining(anything));
  const drawnOnly = await offeredWhere({ workflows: ['default'] });
  expect(drawnOnly.filter((label) => anything.includes(label))).toEqual([]);
  const small = await offeredWhere({ largestSize: { width: 100, height: 100 } });
  expect(small.filter((label) => anything.includes(label))).toEqual([source.varySubtly, source.expand]);
});

test('More offers what the row of that very message lacks', async () => {
  const { picture, member, login } = await pictureWorld();
  const { rest } = await login();
  const old = buttonRow(buttonOf(picture, texts.again), buttonOf(picture, actions.more)).toJSON();
  await rest.patch(Routes.channelMessage(CHANNEL, picture.id), { body: { components: [old] } });
  await sees(member, ({ id, components = [] }) => id === picture.id && components.length === 1);
  const { id } = picture;
  const more = await underMore(member.message(id) ?? picture, member);
  expect(labelsOf(more)).toEqual([
    [source.upscale(2), source.upscale(4), source.varySubtly, source.varyStrongly, source.removeBackground],
    [source.expand],
    [actions.edit],
    [actions.delete],
  ]);
});

test('who pays with another key is offered what can be made of a picture that they bring', async () => {
  const onlyDrawn = { upscale: { ownOnly: true }, remove_background: {} };
  const world = await pictureWorld({}, {}, editingEngine(onlyDrawn));
  const { picture } = world;
  const user = await withOwnKey(world);
  expect(labelsOf(picture).flat()).not.toContain(source.upscale(2));
  expect(labelsOf(await underMore(picture, world.member)).flat()).toContain(source.upscale(4));
  const more = await underMore(picture, user);
  expect(labelsOf(more).flat()).not.toContain(source.upscale(4));
  const shown = await begun(await user.press(more.id, buttonOf(more, source.removeBackground)), world);
  expect(footerOf(shown)).toContain(source.done.remove_background);
  expect(world.engine.drawn.at(-1)?.inputs).toHaveLength(1);
});
