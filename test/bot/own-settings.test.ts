import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { answer } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, pressedTwice } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

const { mySettings: texts } = en;

/** Fills the form that *Edit* under a panel or a refusal opens, and sends it. */
async function fill(world: BotWorld, under: APIMessage, fields: Record<string, string | string[]>) {
  const opened = await world.member.press(under.id, buttonOf(under, en.editForm.edit));
  if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
  const empty = { negative_prompt: '', size: '', workflow: ['-'], flags: '' };
  const answer = await world.member.submitModal(opened.interactionId, { ...empty, ...fields });
  return { opened: JSON.stringify(opened.modal), answer };
}

test('what a member has decided counts where they do not say, and what they say counts more', async () => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  const panel = await run(world.member, 'settings me');
  expect(panel.embeds[0]?.description).toContain('You have no defaults yet');
  const fields = {
    negative_prompt: 'text',
    size: '3:2',
    workflow: ['anime'],
    flags: '--steps 12 --cfg 6 --spoiler',
  };
  await fill(world, panel, fields);
  const shown = await run(world.member, 'settings me');
  expect(shown.embeds[0]?.description).toContain('**Steps** 12');

  const made = await world.imagined({ prompt: 'a fox', steps: 30 });
  expect(made.attachments[0]?.filename).toMatch(/^SPOILER_/);
  await world.imagined({ prompt: 'a fox', workflow: 'z-image' });
  await world.imagined({ prompt: 'a fox' }, { user: world.as(MODERATOR) });
  const [own, other, nobodys] = service.requests('submit').map(({ body }): unknown => JSON.parse(body));
  expect(own).toMatchObject({
    prompt: 'a fox',
    negative_prompt: 'text',
    workflow: 'anime',
    width: 1_248,
    height: 832,
    steps: 30,
    cfg: 6,
  });
  // Where it has no effect it is nobody's mistake.
  expect(other).not.toHaveProperty('cfg');
  expect(nobodys).not.toHaveProperty('negative_prompt');
});

test('nobody is refused for a default that is larger than a server allows', async () => {
  const world = await botWorld({
    operatorLimits: { largestSize: { width: 256, height: 256 }, mostSteps: 10 },
  });
  await fill(world, await run(world.member, 'settings me'), { size: '1024x1024', flags: '--steps 40' });
  const made = await world.imagined({ prompt: 'a fox' });
  expect(made.attachments[0]).toMatchObject({ width: 256, height: 256 });
});

test('a default model is for the workflows that have it, and those that list none', async () => {
  const service = await createHostileService();
  const effects = ['negative_prompt', 'model'];
  const models = { default: ['SD/dreams.safetensors'], anime: ['other.safetensors'], 'z-image': undefined };
  const workflows = Object.entries(models).map(([name, listed]) => ({ name, effects, models: listed }));
  service.script('capabilities', answer({ workflows }));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  await fill(world, await run(world.member, 'settings me'), { flags: '--model dreams' });
  for (const workflow of Object.keys(models)) await world.imagined({ prompt: 'a fox', workflow });
  const drawnBy = service.requests('submit').map(({ body }) => JSON.parse(body).model);
  expect(drawnBy).toEqual(['dreams', undefined, 'dreams']);
});

test('of words that are too many each counts once, however many pictures their member makes by default', async () => {
  const world = await botWorld();
  await fill(world, await run(world.member, 'settings me'), { flags: '--n 4' });
  const refused = await run(world.member, 'imagine', { prompt: 'a {b, c, d, e, f}' });
  expect(refused.content).toBe(en.typed.tooManyPictures(5, 4));
});

test('a default that is none is refused with what was meant, and Edit opens with it', async () => {
  const world = await botWorld();
  const panel = await run(world.member, 'settings me');
  const { answer } = await fill(world, panel, { size: 'enormous', flags: '--steps 30' });
  const refused = messageOf(answer);
  expect(refused.content).toContain('`size` can be a preset');
  const { opened } = await fill(world, refused, { flags: '--seed 7' });
  expect(opened).toContain('"value":"enormous"');
  expect(opened).toContain('"value":"--steps 30"');
});

test('what is no default is not taken for one: a seed, and how much of a picture changes', async () => {
  const world = await botWorld();
  const panel = await run(world.member, 'settings me');
  const { answer } = await fill(world, panel, { flags: '--seed 7 --strength 0.4' });
  expect(messageOf(answer).content).toBe(`${texts.noSeed}\n${en.source.strengthAlone}`);
});

test('who does not want to be asked for the price of a typed count is not', async () => {
  const world = await botWorld();
  const panel = await run(world.member, 'settings me');
  await pressedTwice(panel, texts.asks(true), world.member);
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', count: 2, size: '64x64' });
  expect((await world.ended(messageOf(answer).id)).attachments).toHaveLength(2);
});

test('models that made a picture are offered to their member, and in the server where everybody saw it', async () => {
  const world = await botWorld();
  await world.imagined({ prompt: 'a fox', model: 'fox-xl.safetensors', size: '64x64' });
  await world.imagined({ prompt: 'a fox', model: 'secret-fox.safetensors', size: '64x64', private: true });
  const offered = async (user = world.member) => {
    const { choices } = await user.autocomplete(CHANNEL, 'imagine', { prompt: 'x', model: 'fox' }, 'model');
    return choices.map(({ value }) => value);
  };
  await expect.poll(() => offered()).toEqual(['fox-xl.safetensors', 'secret-fox.safetensors', 'fox']);
  expect(await offered(world.as(MODERATOR))).toEqual(['fox-xl.safetensors', 'fox']);
});
