import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { GraphError } from '../../packages/image-service/src/engines/engine.ts';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, picked, underMore } from '../support/buttons.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { graphFile, POSTER } from '../support/graph-file.ts';
import { changeSettings, storeWithSettings } from '../support/guild-settings.ts';
import { hostileWorld } from '../support/hostile-world.ts';
import { labelsOf, photograph } from '../support/picture-world.ts';

/** What shows the picture of a graph. */
const SHOWN = { 9: { class_type: 'SaveImage', inputs: {} } };

const list = (user: UserClient, options: Parameters<UserClient['invoke']>[2] = {}) =>
  run(user, 'imagine', { prompt: 'a red fox', graph: graphFile(POSTER), ...options });

/** Presses the button that makes what is asked about, and waits for how it ended. */
async function make(world: BotWorld, question: APIMessage, user = world.member): Promise<APIMessage> {
  const answer = messageOf(await user.press(question.id, buttonOf(question, en.confirm.make)));
  return world.ended(answer.id, user);
}

/** A world whose service takes anything, and what it was sent. */
async function sentWorld() {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  const sent = () => service.requests('submit').map(({ body }) => JSON.parse(body));
  return { ...world, sent };
}

test('a graph is listed to its member with its price before it is sent, and made with the words filled in, after a restart too', async () => {
  const world = await botWorld();
  const question = await list(world.member, { size: '320x256', seed: 7, negative_prompt: 'people' });
  expect(question.content).toMatch(/^\*\*poster\*\* · 7 nodes\nCLIPTextEncode ×2, KSampler, /);
  expect(question.content).toContain('Models: sd\\_xl\\_base\\_1\\.0\\.safetensors');
  expect(question.content).toMatch(/Price: \*\*\d+(\.\d+)?\*\* credits?\./);
  expect(question.content).not.toContain('The image service says');
  expect(await world.service.balance()).toBe(100);
  await world.restartBot();
  const message = await make(world, question);
  expect(message.embeds[0]?.description).toBe('a red fox');
  expect(message.embeds[0]?.footer?.text).toBe('320 × 256 · Graph poster');
  expect(message.attachments[0]).toMatchObject({ filename: 'darkroom-7.png', width: 320, height: 256 });
  expect(await world.service.balance()).toBeLessThan(100);
});

test('what a graph has drawn before it fails is told to its member alone, and counts in their limit', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine, price: () => 1 }, operatorLimits: { memberDay: 1 } });
  const question = await list(world.member);
  const answer = messageOf(await world.member.press(question.id, buttonOf(question, en.confirm.make)));
  const drawing = await engine.next();
  drawing.progress(90);
  drawing.fail(new GraphError('VAEDecode (node 8) failed: the sizes do not match.'));
  const note = await world.reads(en.cancel.price(0.9));
  expect(Number(note.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect((await world.ended(answer.id)).content).not.toMatch(/credit|cost/i);
  const refused = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  expect(messageOf(refused).content).toContain('your limit of 1 picture');
});

/** The graphs of the jobs that are exported of a person. */
async function exportedGraphs(user: UserClient): Promise<unknown> {
  const told = await run(user, 'privacy');
  const answer = await settled(await user.press(told.id, buttonOf(told, en.privacy.export)), user);
  const file: unknown = await (await fetch(`${answer.attachments[0]?.url}`)).json();
  const { jobs } = z.object({ jobs: z.array(z.object({ graph: z.unknown() })) }).parse(file);
  return jobs.map(({ graph }) => graph);
}

test('nodes are exported of who attached them, and not of who repeats the picture or names a graph of the server', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  const picture = await make(world, await list(world.member));
  const again = messageOf(await moderator.press(picture.id, buttonOf(picture, en.picture.again)));
  await world.ended(again.id, moderator);
  expect(await exportedGraphs(world.member)).toMatchObject([{ name: 'poster', nodes: POSTER }]);
  expect(await exportedGraphs(moderator)).toEqual([{ name: 'poster' }]);

  await run(moderator, 'graph save', { name: 'house style', file: graphFile(POSTER) });
  await world.imagined({ prompt: 'a red fox', graph_name: 'house style' });
  expect(await exportedGraphs(world.member)).toMatchObject([{ name: 'house style' }, { nodes: POSTER }]);
});

test('whoever changes the words of a picture of somebody else reads no node of the graph that draws it', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  const pictures = await make(world, await list(world.member, { count: 2 }));
  const asked = await settled(
    await moderator.press(pictures.id, buttonOf(pictures, en.picture.again)),
    moderator,
  );
  const form = await moderator.press(asked.id, buttonOf(asked, en.editForm.edit));
  if (form.kind !== 'modal') throw new Error(form.kind);
  const words = { prompt: 'a blue fox', size: '64x64', flags: '' };
  const question = await settled(await moderator.submitModal(form.interactionId, words), moderator);
  expect(question.content).toMatch(/^\*\*poster\*\* · 7 nodes\nPrice/);
  expect(question.content).not.toMatch(/KSampler|safetensors/);
});

test('a private picture of a graph is not published where the server blocks a word of its nodes meanwhile', async () => {
  const storeUrl = await storeWithSettings({});
  const world = await botWorld({ storeUrl });
  const picture = await make(world, await list(world.member, { private: true }));
  await world.stopBot();
  await changeSettings(storeUrl, { blockedWords: ['poster'] });
  await world.startBot();
  const answer = await world.member.press(picture.id, buttonOf(picture, en.actions.publish));
  expect(JSON.stringify(answer)).toContain(en.rules.blockedWord('poster'));
});

test('what a graph says itself is no default of ours: a private picture of one that is allowed is published', async () => {
  const largestSize = { width: 320, height: 256 };
  const world = await botWorld({ storeUrl: await storeWithSettings({ mostSteps: 4, largestSize }) });
  const picture = await make(world, await list(world.member, { private: true }));
  await world.member.press(picture.id, buttonOf(picture, en.actions.publish));
  await world.reads('Everybody can see it now');
});

test('one of several pictures of a graph that is allowed is posted alone', async () => {
  const largestSize = { width: 320, height: 256 };
  const world = await botWorld({ storeUrl: await storeWithSettings({ mostSteps: 4, largestSize }) });
  const pictures = await make(world, await list(world.member, { count: 2 }));
  const shown = await picked(pictures, world.member, 2);
  await world.member.press(shown.id, buttonOf(shown, en.actions.postAlone));
  await world.reads('Picture 2 of');
});

test('the file of who has no key, or may not ask here, is not read, and the words are kept', async () => {
  const broken = { graph: graphFile({ nodes: [] }) };
  const keyless = await botWorld({ operatorKey: null });
  const refused = await list(keyless.member, broken);
  expect(refused.content).toContain(en.firstKey.needed);
  const opened = await keyless.member.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(opened.kind === 'modal' && JSON.stringify(opened.modal)).toContain('a red fox');
  const paused = await botWorld({ storeUrl: await storeWithSettings({ paused: true }) });
  expect((await list(paused.member, broken)).content).toBe(en.rules.paused);
});

test.each([
  ['paused', { paused: true }, POSTER, en.rules.paused],
  ['unreadable', {}, { nodes: [] }, en.graph.editor],
])(
  'words whose file was refused (%s) are not drawn without a graph: the form asks for it again',
  async (_, settings, nodes, why) => {
    const storeUrl = await storeWithSettings(settings);
    const world = await botWorld({ storeUrl });
    const refused = await list(world.member, { graph: graphFile(nodes), size: '320x256', seed: 7 });
    expect(refused.content).toBe(why);
    await world.stopBot();
    await changeSettings(storeUrl, { paused: false });
    await world.startBot();
    async function send(fields: Parameters<UserClient['submitModal']>[1]) {
      const form = await world.member.press(refused.id, buttonOf(refused, en.editForm.edit));
      if (form.kind !== 'modal') throw new Error(form.kind);
      expect(JSON.stringify(form.modal)).toContain(en.editForm.attachGraph);
      return settled(await world.member.submitModal(form.interactionId, fields), world.member);
    }
    const question = await send({ graph: [graphFile(POSTER)] });
    const message = await make(world, question);
    expect(message.embeds[0]?.description).toBe('a red fox');
    expect(message.embeds[0]?.footer?.text).toBe('320 × 256 · Graph poster');
    expect(message.attachments[0]?.filename).toBe('darkroom-7.png');
  },
);

test('words for a graph that the server does not keep are not lost: another name is filled in, or none', async () => {
  const world = await botWorld();
  await run(world.as(MODERATOR), 'graph save', { name: 'Movie poster', file: graphFile(POSTER) });
  const asked = { prompt: 'a red fox', graph_name: 'movie', size: '320x256', seed: 7 };
  const refused = await run(world.member, 'imagine', asked);
  expect(refused.content).toContain('has no graph **movie**');
  await world.restartBot();
  async function send(message: APIMessage, graph_name: string) {
    const form = await world.member.press(message.id, buttonOf(message, en.editForm.edit));
    if (form.kind !== 'modal') throw new Error(form.kind);
    expect(JSON.stringify(form.modal)).toContain('"value":"movie"');
    const filled = { prompt: 'a blue fox', size: '64x64', flags: '--seed 7', graph_name };
    return world.member.submitModal(form.interactionId, filled);
  }
  const drawn = async (answer: InteractionResult) => (await world.ended(messageOf(answer).id)).embeds[0];
  const again = await settled(await send(refused, 'film'), world.member);
  expect(again.content).toContain('has no graph **film**');
  const named = await drawn(await send(refused, 'movie poster'));
  expect(named?.description).toBe('a blue fox');
  expect(named?.footer?.text).toBe('64 × 64 · Graph Movie poster');
  expect((await drawn(await send(refused, '')))?.footer?.text).not.toContain('Graph');
});

test('of two graphs none is dropped without a word', async () => {
  const world = await botWorld();
  await run(world.as(MODERATOR), 'graph save', { name: 'movie_poster', file: graphFile(POSTER) });
  expect((await list(world.member, { graph_name: 'movie_poster' })).content).toBe(en.graph.twice);
  expect(await world.service.balance()).toBe(100);
});

test('beside a picture the name of a graph is kept as well, and one of the two is left out', async () => {
  const world = await botWorld();
  await run(world.as(MODERATOR), 'graph save', { name: 'Movie poster', file: graphFile(POSTER) });
  const image = await photograph();
  const refused = await run(world.member, 'imagine', { prompt: 'a fox', graph_name: 'movie', image });
  expect(refused.content).toBe(en.source.withGraph);
  async function send(message: APIMessage, filled: Parameters<UserClient['submitModal']>[1]) {
    const form = await world.member.press(message.id, buttonOf(message, en.editForm.edit));
    if (form.kind !== 'modal') throw new Error(form.kind);
    expect(JSON.stringify(form.modal)).toContain('"value":"movie"');
    return world.member.submitModal(form.interactionId, filled);
  }
  const both = await settled(await send(refused, { picture: [image] }), world.member);
  expect(both.content).toBe(en.source.withGraph);
  const drawn = await world.ended(messageOf(await send(both, { graph_name: 'movie poster' })).id);
  expect(drawn.embeds[0]?.footer?.text).toContain('Graph Movie poster');
});

test('what is left is not sent', async () => {
  const world = await botWorld();
  const question = await list(world.member);
  const left = await world.member.press(question.id, buttonOf(question, en.cancel.button));
  expect(left.kind === 'update' && left.message.content).toBe(en.confirm.dropped);
  expect(await world.service.balance()).toBe(100);
});

test('Again changes only seeds, and a graph without a place for one begins with its own', async () => {
  const { sent, ...world } = await sentWorld();
  const own = { ...SHOWN, 3: { class_type: 'KSampler', inputs: { seed: 42, steps: 4, text: '%prompt%' } } };
  const first = await make(world, await list(world.member, { graph: graphFile(own) }));
  const again = messageOf(await world.member.press(first.id, buttonOf(first, en.picture.again)));
  await world.ended(again.id);
  const [one, other] = sent();
  expect(one.prompt).toEqual({
    ...SHOWN,
    3: { class_type: 'KSampler', inputs: { seed: 42, steps: 4, text: 'a red fox' } },
  });
  const { seed } = other.prompt[3].inputs;
  expect(seed).not.toBe(42);
  expect(other).toEqual({
    prompt: { ...SHOWN, 3: { ...own[3], inputs: { ...own[3].inputs, text: 'a red fox', seed } } },
  });
});

test('a graph without any seed has nothing that would draw the same picture again', async () => {
  const { sent, ...world } = await sentWorld();
  const seedless = { ...SHOWN, 3: { class_type: 'Text', inputs: { text: '%prompt%' } } };
  const picture = await make(world, await list(world.member, { graph: graphFile(seedless) }));
  const labels = (message: APIMessage) => labelsOf(message).flat();
  expect(labels(picture)).toEqual([en.actions.edit, en.actions.more]);
  expect(labels(await underMore(picture, world.member))).not.toContain(en.picture.again);
  expect(labels(await run(world.member, 'jobs'))).toEqual([en.jobs.search]);
  expect(sent()).toHaveLength(1);
});

test('words with quotes and braces break nothing, and every picture has a seed of its own', async () => {
  const { sent, ...world } = await sentWorld();
  const prompt = 'a "fox" in \\ {"4": []} %width%';
  await make(world, await list(world.member, { prompt, count: 2, seed: 7 }));
  const graphs = sent().map(({ prompt: graph }) => graph);
  expect(graphs.map((graph) => graph[6].inputs.text)).toEqual([
    `a poster of ${prompt}`,
    `a poster of ${prompt}`,
  ]);
  expect(graphs.map((graph) => graph[3].inputs.seed).toSorted()).toEqual([7, 8]);
  expect(graphs[0][5].inputs).toEqual({ width: 512, height: 512, batch_size: 1 });
});

test('a graph that its server keeps is chosen by name and made at once; Details name it, Edit keeps it', async () => {
  const world = await botWorld();
  const moderator = world.as(MODERATOR);
  await run(moderator, 'graph save', { name: 'Movie poster', file: graphFile(POSTER) });
  const asked = { prompt: 'a red fox', graph_name: 'movie' };
  const { choices } = await world.member.autocomplete(CHANNEL, 'imagine', asked, 'graph_name');
  expect(choices).toEqual([{ name: 'Movie poster', value: 'Movie poster' }]);
  const message = await world.imagined({ ...asked, graph_name: 'movie poster', seed: 7 });
  expect(message.embeds[0]?.footer?.text).toBe('512 × 512 · Graph Movie poster');
  expect((await run(world.member, 'imagine', asked)).content).toContain('has no graph **movie**');
  const details = await underMore(message, world.member);
  expect(details.embeds[0]?.fields).toContainEqual(
    expect.objectContaining({ name: 'Graph', value: 'Movie poster' }),
  );
  const form = await world.member.press(message.id, buttonOf(message, en.actions.edit));
  if (form.kind !== 'modal') throw new Error(form.kind);
  const edited = messageOf(
    await world.member.submitModal(form.interactionId, {
      prompt: 'a blue fox',
      workflow: ['-'],
    }),
  );
  const changed = await world.ended(edited.id);
  expect(changed.embeds[0]?.description).toBe('a blue fox');
  expect(changed.embeds[0]?.footer?.text).toContain('Graph Movie poster');
});

test('what no words, size or seed can change is not edited: the same would be paid for again', async () => {
  const world = await botWorld();
  const fixed = JSON.stringify(POSTER)
    .replaceAll(/"%(?:width|height)%"/g, '64')
    .replaceAll('%', '');
  const made = await make(world, await list(world.member, { graph: graphFile(fixed) }));
  expect(labelsOf(made).flat()).toEqual([en.actions.more]);
  const before = await world.service.balance();
  const refused = await world.member.invokeOn(CHANNEL, en.actions.menu.imagine, made.id);
  expect(messageOf(refused).content).toBe(en.graph.takesNothing);
  expect(await world.service.balance()).toBe(before);
});

test('options without effect are refused, and so is what the server does not allow', async () => {
  const storeUrl = await storeWithSettings({ mostSteps: 10, blockedWords: ['hare'] });
  const world = await botWorld({ storeUrl });
  expect((await list(world.member, { steps: 5 })).content).toContain('`steps` has no effect with a graph');
  const bare = { ...SHOWN, 3: { class_type: 'KSampler', inputs: { seed: 1 } } };
  const useless = await list(world.member, {
    graph: graphFile(bare),
    size: '1:1',
    negative_prompt: 'people',
  });
  expect(useless.content).toContain('`size`, `negative_prompt` have no effect');
  const many = { ...SHOWN, 3: { class_type: 'KSampler', inputs: { steps: 20, text: '%prompt%' } } };
  expect((await list(world.member, { graph: graphFile(many) })).content).toContain('10 steps at most');
  for (const node of [
    { class_type: 'CLIPTextEncode', inputs: { text: 'a hare' } },
    { class_type: 'TextFromJson', inputs: { json: String.raw`{"text": "a \u0068are"}` } },
    { class_type: 'TextFromNames', inputs: { hare: 1 } },
  ]) {
    const graph = graphFile({ ...SHOWN, 3: node });
    expect((await list(world.member, { graph })).content).toContain('does not allow **hare**');
  }
  expect((await list(world.member, { graph: graphFile({ nodes: [] }) })).content).toBe(en.graph.editor);
  expect(await world.service.balance()).toBe(100);
});

test('a graph keeps to the size and the number of a server by what it makes of them, and the refusal names the node', async () => {
  const storeUrl = await storeWithSettings({
    largestSize: { width: 512, height: 512 },
    limits: { memberDay: 5 },
  });
  const world = await botWorld({ storeUrl });
  const file = (nodes: object) => ({ graph: graphFile({ ...POSTER, ...nodes }) });
  const latent = (batch_size: number) => ({
    5: { class_type: 'EmptyLatentImage', inputs: { width: '%width%', height: '%height%', batch_size } },
  });
  const larger = {
    20: {
      class_type: 'LatentUpscaleBy',
      inputs: { samples: ['3', 0], scale_by: 2 },
      _meta: { title: 'Twice' },
    },
  };
  expect((await list(world.member, file(larger))).content).toBe(
    `${en.graph.tooManyPixels('Twice', '512x512')}`,
  );
  expect((await list(world.member, file(latent(8)))).content).toBe(
    en.graph.tooManyPictures('EmptyLatentImage', 8, 8, 4),
  );
  expect((await list(world.member, { ...file(latent(2)), count: 3 })).content).toBe(
    en.graph.tooManyPictures('EmptyLatentImage', 2, 6, 4),
  );
  await make(world, await list(world.member, { ...file(latent(4)), size: '64x64' }));
  const question = await list(world.member, { ...file(latent(2)), size: '64x64' });
  const refused = await settled(
    await world.member.press(question.id, buttonOf(question, en.confirm.make)),
    world.member,
  );
  expect(refused.content).toContain('5 pictures');
});

test('what cannot be read of a graph is refused only where somebody limits just that, and says so', async () => {
  const linked = (id: number, input: string) => {
    const node = POSTER[id];
    const nodes = { ...POSTER, [id]: { ...node, inputs: { ...node?.inputs, [input]: ['20', 0] } } };
    return { graph: graphFile({ ...nodes, 20: { class_type: 'Maths', inputs: {} } }) };
  };
  const steps = await botWorld({ storeUrl: await storeWithSettings({ mostSteps: 10 }) });
  await make(steps, await list(steps.member, linked(5, 'width')));
  expect((await list(steps.member, linked(3, 'steps'))).content).toBe(en.graph.unread('KSampler', 'steps'));
  const size = await botWorld({ operatorLimits: { largestSize: { width: 512, height: 512 } } });
  await make(size, await list(size.member, linked(3, 'steps')));
  const refused = (await list(size.member, linked(5, 'width'))).content;
  expect(refused).toBe(en.graph.unread('EmptyLatentImage', 'width'));
  expect(refused).toContain('The size of pictures is limited here');
});

test.each([
  ['the seed, another for each picture', '%seed%'],
  ['a text', '64'],
])('a graph whose number of pictures is %s is refused', async (_, batch_size) => {
  const { member } = await botWorld();
  const latent = { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size } };
  const refused = await list(member, { graph: graphFile({ ...POSTER, 5: latent }), seed: 1, count: 4 });
  expect(refused.content).toBe(en.graph.unreadBatch('EmptyLatentImage', 'batch_size', 4));
});

test('of a graph that draws several pictures a budget counts what it has cost, not that for each of them', async () => {
  const world = await botWorld({ operatorLimits: { keyCreditsDay: 4 } });
  const graph = graphFile({
    ...POSTER,
    5: { class_type: 'EmptyLatentImage', inputs: { width: '%width%', height: '%height%', batch_size: 4 } },
  });
  for (const spent of [1, 2]) {
    await make(world, await list(world.member, { graph, size: '64x64' }));
    expect(await world.service.balance()).toBe(100 - spent);
  }
});

test('what the service would refuse is told before, and cannot be made', async () => {
  const world = await botWorld();
  // So small that it is read at once: a thread is given up after two seconds, which a busy machine may need.
  const nodes = Array.from({ length: 201 }, (_, id) => [
    `${id}`,
    { class_type: id === 0 ? 'SaveImage' : 'Note', inputs: {} },
  ]);
  const question = await list(world.member, { graph: graphFile(Object.fromEntries(nodes)) });
  expect(question.flags && question.flags & MessageFlags.Ephemeral).toBeTruthy();
  expect(question.content).toContain('won’t run this graph. It says: A graph may have at most 200 nodes');
  expect(JSON.stringify(question.components)).not.toContain('imagine:make');
});

test.each([
  ['400', refusal(400, { message: 'Invalid endpoint' })],
  ['400 and a code of ours', refusal(400, { code: 'invalid_request', message: 'Invalid endpoint' })],
  [
    '400 and another code of ours',
    refusal(400, { code: 'operation_not_supported', message: 'No such operation' }),
  ],
  ['405', refusal(405, { code: 'method_not_allowed', message: 'Use another method' })],
  ['200', refusal(200, 'Invalid endpoint')],
])('a graph is made at a service that knows no dry runs, and refuses them with %s', async (_, refused) => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  service.script('dryRun', refused);
  const question = await list(world.member);
  expect(question.content).not.toContain('won’t run this graph');
  expect((await make(world, question)).attachments).toHaveLength(1);
});

test('nobody else reads a secret that a file holds, and it lies nowhere', async () => {
  const world = await botWorld();
  const secret = 'hunter2hunter2hunter2';
  const leaking = { ...POSTER, 10: { class_type: 'Upload', inputs: { api_key: secret } } };
  const refused = await list(world.member, { graph: graphFile(leaking) });
  expect(refused.content).toContain('**api\\_key** of **Upload** looks like a key');
  expect(JSON.stringify(refused)).not.toContain(secret);
  expect(world.lines.join('')).not.toContain(secret);
});
