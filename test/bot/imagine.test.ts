import { submission, WORKFLOWS } from '@darkroom/image-api';
import { MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { controlledEngine, failingEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MEMBER, worldWhere } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { run } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

test.each(WORKFLOWS)(
  'a picture of the workflow %s arrives byte for byte as the service made it',
  async (workflow) => {
    const world = await botWorld();
    const message = await world.imagined({
      prompt: 'a red fox in the snow',
      workflow,
      seed: 7,
      size: '320x256',
    });
    const [made] = await world.pictures();
    expect(Buffer.from(await world.attached(message)).equals(Buffer.from(made ?? []))).toBe(true);
    expect(message.attachments[0]).toMatchObject({
      filename: 'darkroom-7.png',
      content_type: 'image/png',
      description: 'a red fox in the snow',
    });
    expect(message.embeds[0]?.description).toBe('a red fox in the snow');
    expect(message.embeds[0]?.footer?.text).toBe(`320 × 256 · ${workflow}`);
  },
);

test('the reply shows stage, percent and elapsed time while the picture develops', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  expect(answer).toMatchObject({ kind: 'message', message: { flags: MessageFlags.Loading } });
  const begun = await world.reads('Sending');
  expect(begun.content).toBe(`**a red fox**\n-# ${en.progress.submitting}`);
  const drawing = await engine.next();
  drawing.progress(50);
  const halfway = await world.reads('50 %');
  expect(halfway.content).toMatch(/\n-# `▰{3}▱{2}` 50 % · Developing · <t:\d+:R>$/);
  await drawing.finish();
  expect((await world.ended(halfway.id)).attachments).toHaveLength(1);
});

test('what is submitted holds only fields of the interface, integers as integers, and one idempotency key', async () => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  await world.imagined({
    prompt: 'a red fox',
    negative_prompt: 'people',
    workflow: 'anime',
    size: 'Portrait',
    steps: 12,
    cfg: 5.5,
    model: 'one.safetensors',
    seed: 3,
  });
  const [request] = service.requests('submit');
  const body: unknown = JSON.parse(request?.body ?? '');
  expect(submission.safeParse(body).success).toBe(true);
  expect(body).toEqual({
    prompt: 'a red fox',
    negative_prompt: 'people',
    workflow: 'anime',
    width: 512,
    height: 768,
    steps: 12,
    cfg: 5.5,
    model: 'one.safetensors',
    seed: 3,
  });
  expect(request?.headers['x-api-key']).toBe(A_KEY);
  expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(service.requests('submit')).toHaveLength(1);
});

test('a seed is drawn where the member gives none, so that every picture can be made again', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a red fox', count: 3, size: '64x64' });
  expect(message.attachments).toHaveLength(3);
  const seeds = message.attachments.map(({ filename }) => /\d+/.exec(filename)?.[0]);
  expect(new Set(seeds).size).toBe(3);
  expect(message.attachments.map(({ filename }) => filename)).toEqual(
    seeds.map((seed) => `darkroom-${seed}.png`),
  );
});

test('a private picture is for its member only', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: 'a secret fox', private: true });
  expect(Number(message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(message.attachments).toHaveLength(1);
});

test('a failed task is explained in the words of the service, and can be tried again', async () => {
  const world = await botWorld({ service: { engine: failingEngine() } });
  const message = await world.imagined({ prompt: 'a red fox' });
  expect(message.content).toContain(`<@${MEMBER}> · Couldn’t make **a red fox**`);
  expect(message.content).toContain(
    'The image service could not make this picture. It said: the brush broke',
  );
  expect(JSON.stringify(message.components)).toContain('Try again');
  expect(await world.service.balance()).toBe(100);
});

test('an unknown size is refused with the range, to its member only, and nothing is submitted', async () => {
  const world = await botWorld();
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox', size: '32x32' });
  expect(answer).toMatchObject({ kind: 'message', message: { flags: MessageFlags.Ephemeral } });
  expect(answer.kind === 'message' && answer.message.content).toContain('each side from 64 to 2048');
  expect(await world.service.balance()).toBe(100);
});

test('a prompt without anything to see is refused, to its member only, and nothing is paid', async () => {
  const world = await botWorld();
  const refused = await run(world.member, 'imagine', { prompt: '\u200b', model: ' ' });
  expect(refused.content).toBe('`prompt` must say what to draw.');
  expect(await world.service.balance()).toBe(100);
});

test('where credits are missing it is said whose, and what to do, to who asked alone', async () => {
  const world = await botWorld({ service: { credits: 0 } });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  const message = await world.reads('The operator of this bot does not have enough credits');
  expect(message.content).toContain('`/apikey link`');
  expect(Number(message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
});

test('a prompt mentions nobody and stays what was typed', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: '@everyone <@200000000000000002> **loud** `code`' });
  expect(message.mention_everyone).toBe(false);
  expect(message.mentions).toEqual([]);
  expect(message.embeds[0]?.description).toBe(
    '\\@everyone \\<@200000000000000002\\> \\*\\*loud\\*\\* \\`code\\`',
  );
});

test('sizes are offered while they are typed', async () => {
  const world = await botWorld();
  const { choices } = await world.member.autocomplete(
    CHANNEL,
    'imagine',
    { prompt: 'x', size: 'port' },
    'size',
  );
  expect(choices).toEqual([
    { name: 'Portrait (512 × 768)', value: '512x768' },
    { name: 'Large portrait (832 × 1216)', value: '832x1216' },
  ]);
  const typed = await world.member.autocomplete(CHANNEL, 'imagine', { prompt: 'x', size: '640x480' }, 'size');
  expect(typed.choices[0]).toEqual({ name: '640 × 480', value: '640x480' });
});

test('a member reads everything in their own language', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine }, discord: { world: worldWhere(MEMBER, 'de') } });
  const answer = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'ein roter Fuchs' }));
  const drawing = await engine.next();
  drawing.progress(50);
  await world.reads(`50 % · ${de.progress.developing} · <t:`);
  drawing.fail(new Error('the brush broke'));
  const message = await world.ended(answer.id);
  expect(message.content).toContain('**ein roter Fuchs** hat nicht geklappt');
  expect(message.content).toContain('Der Bilderdienst konnte dieses Bild nicht machen.');
});
