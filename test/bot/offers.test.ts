import { createImageClient } from '@darkroom/image-api';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { MessageFlags } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { answer, refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { ALL_ABILITIES } from '../../packages/image-service/src/engines/engine.ts';
import { instantEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { createOffers } from '../../src/requests/offers.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';

const SIZE = { size: '64x64' };
const ABILITIES = { ...ALL_ABILITIES, seenByStrangers: true };

/** A bot whose pictures are drawn by volunteers, in a workflow of the operator's own too. */
async function volunteersWorld() {
  const models = async () => ['dreams.safetensors', 'photo.safetensors'];
  const engine = { ...instantEngine(), abilities: () => ABILITIES, models };
  const world = await botWorld({ service: { engine, workflows: { photo: { engine: engine.name } } } });
  // With the first request it learns what the service offers.
  const first = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', ...SIZE });
  if (first.kind !== 'message') throw new Error(first.kind);
  await world.ended(first.message.id);
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
  expect((await run(volunteers.member, 'privacy')).content).toContain(en.privacy.strangers);
  expect((await run(volunteers.member, 'help')).embeds[0]?.description).toContain(en.privacy.strangers);
  const sketched = await botWorld();
  expect((await run(sketched.member, 'privacy')).content).not.toContain('strangers');
  expect((await run(sketched.member, 'help')).embeds[0]?.description).not.toContain('strangers');
});

test('a workflow that the service defines can be asked for, and its models are offered', async () => {
  const world = await volunteersWorld();
  const { message } = await world.member
    .invoke(CHANNEL, 'imagine', { prompt: 'a fox --w photo', ...SIZE })
    .then((answer) => (answer.kind === 'message' ? answer : Promise.reject(new Error(answer.kind))));
  const made = await world.ended(message.id, world.as(MODERATOR));
  expect(made.attachments).toHaveLength(1);
  const refused = await run(world.member, 'imagine', { prompt: 'a fox --w foto' });
  expect(refused.content).toContain('one of default, anime, z-image, rr3, photo');
  const suggested = async (option: 'workflow' | 'model') => {
    const asked = await world.member.autocomplete(CHANNEL, 'imagine', { prompt: 'x', [option]: '' }, option);
    return asked.choices.map(({ value }) => value);
  };
  expect(await suggested('workflow')).toEqual(['default', 'anime', 'z-image', 'rr3', 'photo']);
  expect(await suggested('model')).toEqual(['dreams.safetensors', 'photo.safetensors']);
});

test('a service that does not know the call, or answers nonsense, is asked for what every service has', async () => {
  for (const odd of [refusal(404, 'unknown endpoint'), answer({ workflows: 'many' }), answer([])]) {
    const hostile = await createHostileService();
    onTestFinished(hostile.close);
    hostile.script('capabilities', odd);
    const images = createImageClient({ baseUrl: hostile.baseUrl });
    onTestFinished(images.close);
    const offers = createOffers({ images, clock: systemClock, log: silentLog() });
    await Promise.all([offers.learn(A_KEY), offers.learn(A_KEY)]);
    expect(hostile.requests('capabilities')).toHaveLength(1);
    expect(offers.workflows()).toEqual(['default', 'anime', 'z-image', 'rr3']);
    expect([offers.models(), offers.seenByStrangers()]).toEqual([[], false]);
  }
});
