import { createImageClient } from '@darkroom/image-api';
import { silentLog } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS, systemClock } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { MessageFlags } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { answer, refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { ALL_ABILITIES } from '../../packages/image-service/src/engines/engine.ts';
import { createPrice } from '../../packages/image-service/src/ledger/price.ts';
import { instantEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { createOffers, hasEffect } from '../../src/requests/offers.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { hostileWorld } from '../support/hostile-world.ts';
import { labelsOf, photograph } from '../support/picture-world.ts';

const SIZE = { size: '64x64' };
const ABILITIES = { ...ALL_ABILITIES, seenByStrangers: true };

/** A bot whose pictures are drawn by volunteers, in a workflow of the operator's own too. */
async function volunteersWorld() {
  const models = async () => ['dreams.safetensors', 'photo.safetensors'];
  const engine = { ...instantEngine(), abilities: () => ABILITIES, models };
  const world = await botWorld({ service: { engine, workflows: { photo: { engine: engine.name } } } });
  // With the first request it learns what the service offers.
  const first = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', ...SIZE }));
  await world.ended(first.id);
  return world;
}

test('what is private is sent to strangers only after a question that says so', async () => {
  const world = await volunteersWorld();
  const before = await world.service.balance();
  const asked = await run(world.member, 'imagine', { prompt: 'a secret fox', private: true, ...SIZE });
  expect(asked.content).toBe(en.question.seen);
  expect(Number(asked.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(await world.service.balance()).toBe(before);
  const answer = await world.member.press(asked.id, buttonOf(asked, en.confirm.make));
  if (answer.kind !== 'message' && answer.kind !== 'update') throw new Error(answer.kind);
  await world.ended(answer.message.id);
  expect(await world.service.balance()).toBe(before - 1);
});

test('/privacy and /help say that strangers see what is drawn, where they do', async () => {
  const volunteers = await volunteersWorld();
  expect((await run(volunteers.member, 'privacy')).embeds[0]?.description).toContain(en.privacy.strangers);
  expect((await run(volunteers.member, 'help')).embeds[0]?.description).toContain(en.privacy.strangers);
  const sketched = await botWorld();
  expect((await run(sketched.member, 'privacy')).embeds[0]?.description).not.toContain('strangers');
  expect((await run(sketched.member, 'help')).embeds[0]?.description).not.toContain('strangers');
});

test.each([
  ['en-US', en],
  ['de', de],
] as const)(
  '/privacy and /help say in %s to whom it is sent, where somebody else draws',
  async (locale, texts) => {
    const engine = { ...instantEngine(), abilities: () => ({ ...ALL_ABILITIES, sentTo: 'OpenAI *images*' }) };
    const world = await botWorld({ service: { engine }, discord: { world: worldWhere(MEMBER, locale) } });
    const sentence = texts.privacy.sentTo(['OpenAI \\*images\\*']);
    expect((await run(world.member, 'privacy')).embeds[0]?.description).toContain(sentence);
    expect((await run(world.member, 'help')).embeds[0]?.description).toContain(sentence);
  },
);

test('a workflow that the service defines can be asked for, and its models are offered', async () => {
  const world = await volunteersWorld();
  const { message } = await world.member
    .invoke(CHANNEL, 'imagine', { prompt: 'a fox --w photo', ...SIZE })
    .then((answer) => (answer.kind === 'message' ? answer : Promise.reject(new Error(answer.kind))));
  const made = await world.ended(message.id, world.as(MODERATOR));
  expect(made.attachments).toHaveLength(1);
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --w foto' });
  expect(refused.content).toContain('one of default, anime, z-image, rr3, photo');
  expect(await suggested(world, 'workflow')).toEqual(['default', 'anime', 'z-image', 'rr3', 'photo']);
  expect(await suggested(world, 'model')).toEqual(['dreams.safetensors', 'photo.safetensors']);
});

test('a workflow that only changes pictures is offered for a picture alone', async () => {
  const abilities = (_: string, model?: string) => ({ ...ALL_ABILITIES, fromWords: model !== 'fill' });
  const engine = { ...instantEngine(), abilities };
  const world = await botWorld({
    service: { engine, workflows: { fill: { engine: engine.name, model: 'fill' } } },
  });
  await run(world.member, 'help');
  const all = ['default', 'anime', 'z-image', 'rr3', 'fill'];
  await expect.poll(() => suggested(world, 'workflow', { image: 'fox.png' })).toEqual(all);
  expect(await suggested(world, 'workflow')).toEqual(all.slice(0, -1));
});

test('a workflow that only changes pictures is nobody’s default for words', async () => {
  const abilities = (_: string, model?: string) => ({ ...ALL_ABILITIES, fromWords: model !== 'fill' });
  const engine = { ...instantEngine(), abilities };
  const world = await botWorld({
    storeUrl: await storeWithSettings({ defaultWorkflow: 'fill' }),
    service: { engine, workflows: { fill: { engine: engine.name, model: 'fill' } } },
  });
  const picture = await world.imagined({ prompt: 'a fox', ...SIZE });
  expect(picture.attachments).toHaveLength(1);
  const moderator = world.as(MODERATOR);
  const panel = await run(moderator, 'settings panel');
  const pick = (workflow: string) =>
    moderator.select(panel.id, 'settings:pick:defaultWorkflow:pictures', [workflow]);
  await moderator.select(panel.id, 'settings:section', ['pictures']);
  await pick('anime');
  expect(JSON.stringify(moderator.message(panel.id)?.components)).not.toContain(
    `${en.settings.names.defaultWorkflow}: fill`,
  );
  const mine = await run(world.member, 'settings me');
  const form = JSON.stringify(await world.member.press(mine.id, buttonOf(mine, en.editForm.edit)));
  expect(form).toContain('"value":"anime"');
  expect(form).not.toContain('"value":"fill"');
});

const suggested = async (
  world: BotWorld,
  option: 'workflow' | 'model',
  given: Record<string, string> = {},
) => {
  const typed = { prompt: 'x', ...given, [option]: '' };
  const { choices } = await world.member.autocomplete(CHANNEL, 'imagine', typed, option);
  return choices.map(({ value }) => value);
};

/** Draws a fox and opens its form. */
async function formOf(world: BotWorld) {
  const answer = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', ...SIZE }));
  const picture = await world.ended(answer.id);
  const opened = await world.member.press(picture.id, buttonOf(picture, en.actions.edit));
  return JSON.stringify(opened);
}

test('the first to ask after a start is answered by what the service has said', async () => {
  const engine = { ...instantEngine(), models: async () => ['photo.safetensors'] };
  const world = await botWorld({ service: { engine, workflows: { photo: { engine: engine.name } } } });
  expect(await suggested(world, 'workflow')).toContain('photo');
  await world.restartBot();
  const help = await run(world.member, 'help');
  const typed = await world.member.press(help.id, buttonOf(help, en.help.tabs.type));
  expect(JSON.stringify(typed)).toContain('--w anime');
  await world.restartBot();
  const { message } = await world.member
    .invoke(CHANNEL, 'imagine', { prompt: 'a fox', workflow: 'photo', ...SIZE })
    .then((answer) => (answer.kind === 'message' ? answer : Promise.reject(new Error(answer.kind))));
  expect((await world.ended(message.id)).attachments).toHaveLength(1);
});

test('what has no effect anywhere is not offered, and refused with a sentence where it is typed', async () => {
  const effects = ['seed'] as const;
  const engine = { ...instantEngine(), abilities: () => ({ ...ALL_ABILITIES, effects }) };
  const world = await botWorld({ service: { engine, rr3Engine: engine } });
  expect(await suggested(world, 'model')).toEqual([]);
  const form = await formOf(world);
  expect(form).toContain('--seed 7 --n 4');
  for (const none of ['--steps', '--cfg', '--model', en.editForm.negativePrompt])
    expect(form).not.toContain(none);
  const help = await run(world.member, 'help');
  const typed = JSON.stringify(await world.member.press(help.id, buttonOf(help, en.help.tabs.type)));
  expect(typed).toContain('--seed 7');
  for (const none of ['--no ', '--steps', '--cfg', '--model']) expect(typed).not.toContain(none);
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --no people --model x', ...SIZE });
  expect(refused.content.split('\n')).toEqual([
    en.refusal.noEffect('negative_prompt', []),
    en.refusal.noEffect('model', []),
  ]);
  const kept = await world.member.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(kept)).toContain('a fox --no people --model x');
});

test('what has no effect any more is left out of what is made again, and of its form', async () => {
  const service = await createHostileService();
  const offered = (...effects: string[]) => answer({ workflows: [{ name: 'anime', effects }] });
  service.script('capabilities', offered('negative_prompt', 'steps', 'seed', 'cfg'));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  const drawn = messageOf(
    await world.member.invoke(CHANNEL, 'imagine', {
      prompt: 'a fox --no people --cfg 5',
      ...SIZE,
    }),
  );
  const picture = await world.ended(drawn.id);
  await world.stopBot();
  service.script('capabilities', offered('seed'));
  await world.startBot();
  const form = JSON.stringify(await world.member.press(picture.id, buttonOf(picture, en.actions.edit)));
  for (const idle of ['--cfg', 'people']) expect(form).not.toContain(idle);
  const again = messageOf(await world.member.press(picture.id, buttonOf(picture, en.picture.again)));
  await world.ended(again.id);
  const [first, second] = service.requests('submit').map(({ body }) => JSON.parse(body));
  expect(first).toMatchObject({ workflow: 'anime', cfg: 5, negative_prompt: 'people' });
  expect(Object.keys(second).toSorted()).toEqual(['height', 'prompt', 'seed', 'width', 'workflow']);
});

test('a model is suggested for the workflow that is chosen', async () => {
  const world = await volunteersWorld();
  expect(await suggested(world, 'model', { workflow: 'anime' })).toContain('dreams.safetensors');
  expect(await suggested(world, 'model', { workflow: 'z-image' })).toEqual([]);
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --w z-image --cfg 5' });
  expect(refused.content).toBe(en.refusal.noEffect('cfg', ['anime', 'rr3']));
});

test('a server offers the workflows that it has chosen, and a refusal keeps what was typed', async () => {
  const storeUrl = await storeWithSettings({ workflows: ['anime', 'photo'] });
  const engine = instantEngine();
  const world = await botWorld({
    storeUrl,
    service: { engine, workflows: { photo: { engine: engine.name } } },
  });
  expect(await suggested(world, 'workflow')).toEqual(['anime', 'photo']);
  const form = await formOf(world);
  expect(form).toMatch(/"value":"anime",[^}]*"default":true/);
  expect(form).not.toContain('"value":"default"');
  const refused = await run(world.member, 'imagine', { prompt: 'a fox', workflow: 'z-image', ...SIZE });
  expect(refused.content).toBe(en.rules.workflow('z-image', ['anime', 'photo']));
  const kept = await world.member.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(kept)).toContain('a fox');
  const unknown = await run(world.member, 'imagine', { prompt: 'a fox', workflow: 'fotos', ...SIZE });
  expect(unknown.content).toContain(en.refusal.workflow(['anime', 'photo']));
  const unnamed = await run(world.member, 'imagine', { prompt: 'a fox --w' });
  expect(unnamed.content).toBe(`\`--w\`: ${en.refusal.workflow(['anime', 'photo'])}`);
});

test('what a picture costs is said where its workflow is chosen', async () => {
  const price = createPrice({ anime: { picture: 1.5, megapixel: 0, step: 0 } });
  const world = await botWorld({ service: { engine: instantEngine(), price } });
  const opened = await formOf(world);
  const typed = { prompt: 'x', workflow: 'a' };
  const { choices } = await world.member.autocomplete(CHANNEL, 'imagine', typed, 'workflow');
  const said = en.picture.usualPrice(1.5);
  expect(choices).toContainEqual({ value: 'anime', name: `anime · ${said}` });
  expect(opened).toMatch(new RegExp(`"label":"anime"[^}]*"description":"${said}"`));
  expect(opened).toMatch(new RegExp(`"label":"default"[^}]*"description":"${en.picture.usualPrice(1)}"`));
  const service = await hostileWorld({ operatorKey: A_KEY });
  const untold = await service.world.member.autocomplete(CHANNEL, 'imagine', typed, 'workflow');
  expect(untold.choices).toContainEqual({ value: 'anime', name: 'anime' });
});

test('a service that does not know the call, or answers nonsense, is asked for what every service has', async () => {
  for (const odd of [refusal(404, 'unknown endpoint'), answer({ workflows: 'many' }), answer([])]) {
    const hostile = await createHostileService();
    hostile.script('capabilities', odd);
    const images = createImageClient({ baseUrl: hostile.baseUrl });
    onTestFinished(images.close);
    const offers = createOffers({ images, clock: systemClock, log: silentLog() });
    await Promise.all([offers.learn(async () => A_KEY), offers.learn(async () => A_KEY)]);
    expect(hostile.requests('capabilities')).toHaveLength(1);
    expect(offers.of().map(({ name }) => name)).toEqual(['default', 'anime', 'z-image', 'rr3']);
    expect([hasEffect('model', offers.of()), offers.seenByStrangers()]).toEqual([true, false]);
  }
});

test('a service that was away is asked again a minute later, also where the clock was set back meanwhile', async () => {
  const hostile = await createHostileService();
  hostile.script('capabilities', refusal(503, 'not yet'));
  const images = createImageClient({ baseUrl: hostile.baseUrl });
  onTestFinished(images.close);
  const clock = createFakeClock();
  const offers = createOffers({ images, clock, log: silentLog() });
  await offers.learn(async () => A_KEY);
  hostile.script('capabilities', answer({ workflows: [{ name: 'photo' }] }));
  clock.setBack(2 * HOUR_MS);
  await offers.learn(async () => A_KEY);
  expect(hostile.requests('capabilities')).toHaveLength(1);
  await clock.advance(MINUTE_MS);
  await offers.learn(async () => A_KEY);
  expect(offers.of().map(({ name }) => name)).toEqual(['photo']);
});

/** A bot that has heard which workflows a service has. */
async function worldOffered(workflows: readonly object[]) {
  const service = await createHostileService();
  service.script('capabilities', answer({ workflows }));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  await world.imagined({ prompt: 'a fox', ...SIZE });
  return world;
}

test('/privacy and /help fit, however many see what is asked for and whatever they are called', async () => {
  const world = await worldOffered(
    Array.from({ length: 100 }, (_, nth) => ({ name: `w${nth}`, sent_to: `*_${nth}_*`.repeat(12) })),
  );
  const told = await run(world.member, 'privacy');
  expect(told.embeds[0]?.description).toContain(en.privacy.noLooks);
  expect(labelsOf(told).flat()).toEqual([en.privacy.export, en.privacy.erase]);
  expect((await run(world.member, 'help')).embeds[0]?.description).toContain(', and …**: your words');
});

test('a workflow that is told twice, or called like something else, is one of each menu', async () => {
  const world = await worldOffered(['default', 'default', 'undecided', 'none'].map((name) => ({ name })));
  expect(await suggested(world, 'workflow')).toEqual(['default', 'undecided', 'none']);
  expect(await formOf(world)).toMatch(/"value":"none"/);
  const moderator = world.as(MODERATOR);
  const panel = await run(moderator, 'settings panel');
  await moderator.select(panel.id, 'settings:section', ['pictures']);
  await moderator.select(panel.id, 'settings:pick:defaultWorkflow:pictures', ['none']);
  expect(moderator.message(panel.id)?.embeds[0]?.description).toContain(
    `**${en.settings.names.defaultWorkflow}:** none`,
  );
});

test('a form that was opened before an upgrade is sent as it was shown: with no workflow picked', async () => {
  const service = await createHostileService();
  const offersOnly = (...names: string[]) =>
    service.script('capabilities', answer({ workflows: names.map((name) => ({ name })) }));
  // So its menu called it where there was no such workflow.
  offersOnly('default', 'undecided');
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  const picture = await world.imagined({ prompt: 'a fox', ...SIZE });
  const opened = await world.member.press(picture.id, buttonOf(picture, en.actions.edit));
  offersOnly('default');
  await world.restartBot();
  await run(world.member, 'help');
  const sent = await world.member.submitModal(opened.interactionId, { workflow: ['undecided'] });
  expect((await world.ended(messageOf(sent).id)).attachments).toHaveLength(1);
});

test.each([
  { width: 0.5, height: 768 },
  { width: -1e308, height: 1e308 },
  { width: 4_096, height: 4_096 },
])('nobody is refused for a usual size and usual steps that cannot be asked for: %o', async (size) => {
  const service = await createHostileService();
  service.script('capabilities', answer({ workflows: [{ name: 'default', size, steps: { default: 60 } }] }));
  const world = await botWorld({ imageUrl: service.baseUrl, operatorKey: A_KEY });
  await world.imagined({ prompt: 'a fox' });
  const [submitted] = service.requests('submit');
  expect(JSON.parse(submitted?.body ?? '')).toMatchObject({ width: 512, height: 512 });
});

test('a service that does not say what it makes of pictures is sent none', async () => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  const refused = await run(world.member, 'imagine', { prompt: 'a cat', image: await photograph() });
  expect(refused.content).toContain(en.source.wordsAlone);
  const drawn = await world.imagined({ prompt: 'a fox', ...SIZE });
  expect(labelsOf(drawn).flat()).toEqual([
    en.picture.again,
    en.actions.vary,
    en.actions.edit,
    en.actions.more,
  ]);
  expect(service.requests('upload')).toEqual([]);
  for (const { body } of service.requests('submit')) expect(body).not.toMatch(/"(operation|image)"/);
});
