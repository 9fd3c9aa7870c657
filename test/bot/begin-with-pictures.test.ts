import { ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ALL_ABILITIES } from '../../packages/image-service/src/engines/engine.ts';
import { editingEngine, instantEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow, picked, underMore } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import {
  begun,
  contentOf,
  FOX,
  footerOf,
  labelsOf,
  linkTo,
  photograph,
  pictureWorld,
  selectOf,
} from '../support/picture-world.ts';

const { actions, source, outcome, picture: texts } = en;
test('under a picture stands what the service makes of it, five in a row, and the rest behind More', async () => {
  const { picture, member } = await pictureWorld();
  expect(labelsOf(picture)).toEqual([
    [texts.again, source.varySubtly, source.upscale(2), actions.edit, actions.more],
  ]);
  expect(labelsOf(await underMore(picture, member))).toEqual([
    [source.upscale(4), source.varyStrongly, source.removeBackground],
    [source.expand],
    [actions.delete],
  ]);
});

test('what the service does not offer is not shown, and said of a picture of one’s own', async () => {
  const { picture, member } = await pictureWorld({}, { service: { engine: instantEngine() } });
  expect(labelsOf(picture)).toEqual([[texts.again, actions.vary, actions.edit, actions.more]]);
  expect(labelsOf(await underMore(picture, member))).toEqual([[actions.delete]]);
  const said = await member.say(CHANNEL, 'look', [await photograph()]);
  const refused = await settled(await member.invokeOn(CHANNEL, actions.menu.use, said.id), member);
  expect(refused.content).toBe(source.notOffered.edit([]));
});

test('a private picture keeps five buttons, and Again stands behind More', async () => {
  const { picture, member } = await pictureWorld({ private: true });
  expect(labelsOf(picture)).toEqual([
    [actions.publish, source.varySubtly, source.upscale(2), actions.edit, actions.more],
  ]);
  expect(labelsOf(await underMore(picture, member)).flat()).toContain(texts.again);
});

test('Upscale makes the picture twice as large, once for a double click, and says from what', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const id = buttonOf(picture, source.upscale(2));
  const [first, second] = await Promise.all([member.press(picture.id, id), member.press(picture.id, id)]);
  const shown = await begun(first.kind === 'message' ? first : second, world);
  expect(shown.content).toContain(outcome.from(linkTo(picture), false));
  expect(footerOf(shown)).toContain(`128 × 192 · ${source.done.upscale(2)}`);
  const { width, height } = await sharp(await world.attached(shown)).metadata();
  expect({ width, height }).toEqual({ width: 128, height: 192 });
  expect(world.sources()).toHaveLength(1);
  expect(labelsOf(shown)).toEqual([[source.varySubtly, source.upscale(2), actions.edit, actions.more]]);
});

test('Vary begins with the picture itself, subtly or strongly, and makes two', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const subtle = await begun(await member.press(picture.id, buttonOf(picture, source.varySubtly)), world);
  expect(subtle.attachments).toHaveLength(2);
  const more = await underMore(picture, member);
  await begun(await member.press(more.id, buttonOf(more, source.varyStrongly)), world);
  expect(world.sources()).toMatchObject([
    { operation: 'edit', strength: 0.35 },
    { operation: 'edit', strength: 0.35 },
    { operation: 'edit', strength: 0.7 },
    { operation: 'edit', strength: 0.7 },
  ]);
});

test('Expand goes on to the side that is picked, by half of it', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const more = await underMore(picture, member);
  const shown = await begun(await member.select(more.id, selectOf(more, 'expand'), ['left']), world);
  expect(world.sources()).toMatchObject([
    { operation: 'expand', margins: { left: 32, top: 0, right: 0, bottom: 0 } },
  ]);
  expect(footerOf(shown)).toContain(`96 × 96 · ${source.done.expand}`);
});

test('Expand draws as the picture was drawn', async () => {
  const world = await pictureWorld({ workflow: 'anime', negative_prompt: 'text', steps: 12, cfg: 4 });
  const { picture, member, engine } = world;
  const more = await underMore(picture, member);
  await begun(await member.select(more.id, selectOf(more, 'expand'), ['left']), world);
  expect(engine.drawn.at(-1)?.drawing).toMatchObject({
    source: { operation: 'expand' },
    negativePrompt: 'text',
    steps: 12,
    cfg: 4,
  });
});

test('one of several pictures is picked, and the same is made of that one', async () => {
  const world = await pictureWorld({ count: 2 });
  const { picture, member } = world;
  const shown = await picked(picture, member, 2);
  expect(labelsOf(shown)).toEqual([
    [source.upscale(2), source.upscale(4), source.varySubtly, source.varyStrongly, source.removeBackground],
    [source.expand],
    [actions.edit, actions.postAlone],
  ]);
  await begun(await member.press(shown.id, buttonOf(shown, source.removeBackground)), world);
  expect(world.sources()).toMatchObject([{ operation: 'remove_background' }]);
});

test('the form of Edit changes the picture by what is said, or makes a new one of its words', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const submitted = async (values: Parameters<typeof member.submitModal>[1]) => {
    const form = await member.press(picture.id, buttonOf(picture, actions.edit));
    if (form.kind !== 'modal') throw new Error('no form');
    return begun(await member.submitModal(form.interactionId, values), world);
  };
  await submitted({ change: 'in the rain' });
  await submitted({ picture: [await photograph()] });
  await submitted({ prompt: 'a blue fox' });
  expect(world.engine.drawn.slice(1).map(({ drawing }) => drawing)).toMatchObject([
    { prompt: 'a red fox, in the rain', source: { operation: 'edit' }, width: 64, height: 96 },
    { prompt: 'a red fox', source: { operation: 'edit' }, width: 160, height: 120 },
    { prompt: 'a blue fox', width: 64, height: 96 },
  ]);
  expect(world.sources()).toHaveLength(2);
});

test('a workflow that is picked and changes no pictures is refused, not replaced by another', async () => {
  const service = { rr3Engine: instantEngine() };
  const { picture, member, engine } = await pictureWorld({}, { service });
  const form = await member.press(picture.id, buttonOf(picture, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  const fields = { change: 'in the rain', workflow: ['rr3'] };
  const refused = await member.submitModal(form.interactionId, fields);
  expect(contentOf(refused)).toBe(source.notOffered.edit(['default', 'anime', 'z-image']));
  expect(engine.drawn).toHaveLength(1);
});

test('where another picture cannot be used, what was to change is not lost', async () => {
  const { picture, member } = await pictureWorld();
  const form = await member.press(picture.id, buttonOf(picture, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  const notes = { name: 'notes.txt', bytes: new Uint8Array([104, 105]), contentType: 'text/plain' };
  const fields = { change: 'in the rain', picture: [notes] };
  const refused = messageOf(await member.submitModal(form.interactionId, fields));
  expect(refused.content).toBe(source.noPicture);
  const again = await member.press(refused.id, buttonOf(refused, actions.edit));
  expect(JSON.stringify(again)).toContain('a red fox, in the rain');
});

test('what is typed into the form of a picture that is erased meanwhile is not lost', async () => {
  const { picture, member } = await pictureWorld();
  const form = await member.press(picture.id, buttonOf(picture, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  await eraseAll(member);
  const told = messageOf(await member.submitModal(form.interactionId, { change: 'in the rain' }));
  expect(plain(told.content)).toBe(actions.gone);
  const again = await member.press(told.id, buttonOf(told, actions.edit));
  expect(JSON.stringify(again)).toContain('a red fox, in the rain');
});

test('what is not made of words is not made again by changing them: they make a new picture', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const larger = await begun(await member.press(picture.id, buttonOf(picture, source.upscale(2))), world);
  const form = await member.press(larger.id, buttonOf(larger, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  await begun(await member.submitModal(form.interactionId, { prompt: 'a blue fox' }), world);
  expect(world.engine.drawn.map(({ drawing }) => [drawing.prompt, drawing.source?.operation])).toEqual([
    ['a red fox', undefined],
    ['a red fox', 'upscale'],
    ['a blue fox', undefined],
  ]);
  const list = await run(member, 'jobs');
  expect(labelsOf(list)[0]).toEqual([en.jobs.again(1), en.jobs.again(3)]);
});

test('a larger picture is not varied where nothing changes pictures any more, and Edit asks for words', async () => {
  const world = await pictureWorld({}, {}, editingEngine({ upscale: {} }));
  const { picture, member } = world;
  const larger = await begun(await member.press(picture.id, buttonOf(picture, source.upscale(2))), world);
  const [jobId = ''] = /(?<=imagine:edit:)\d+/.exec(JSON.stringify(larger.components)) ?? [];
  const id = `imagine:vary:${jobId}:0:subtly`;
  const client = await world.login();
  const body = { components: [buttonRow(id).toJSON()] };
  const old = (await client.rest.post(`/channels/${CHANNEL}/messages`, { body })) as APIMessage;
  expect(contentOf(await member.press(old.id, id))).toBe(source.notOffered.edit([]));
  const form = await member.press(larger.id, buttonOf(larger, actions.edit));
  expect(JSON.stringify(form)).toMatch(/"custom_id":"prompt"[^}]*"required":true/);
  expect(world.sources()).toHaveLength(1);
});

test('what a picture without words has cost is named', async () => {
  const { member, ...world } = await pictureWorld();
  const said = await member.say(CHANNEL, 'look', [await photograph()]);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, said.id));
  await begun(await member.press(offered.id, buttonOf(offered, source.upscale(2))), world);
  expect((await run(member, 'balance')).content).toContain(en.balance.cost(1, source.noWords));
});

test('a picture of one’s own is what /imagine begins with, and Again begins with it once more after a restart', async () => {
  const world = await pictureWorld();
  const { member } = world;
  const image = await photograph();
  const asked = await member.invoke(CHANNEL, 'imagine', { prompt: 'a cat with a hat', image, strength: 0.4 });
  const shown = await begun(asked, world);
  expect(footerOf(shown)).toContain(`160 × 120 · ${source.done.edit}`);
  await world.restartBot();
  await begun(await member.press(shown.id, buttonOf(shown, texts.again)), world);
  expect(world.sources()).toMatchObject([
    { operation: 'edit', strength: 0.4 },
    { operation: 'edit', strength: 0.4 },
  ]);
  const refused = await world.as(MODERATOR).press(shown.id, buttonOf(shown, texts.again));
  expect(contentOf(refused)).toContain(source.notYours);
});

test('Use as picture stands in the menu of every message, and offers what can be made of its picture', async () => {
  const world = await pictureWorld();
  const { member } = world;
  const said = await member.say(CHANNEL, 'look', [await photograph()]);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, said.id));
  expect(isEphemeral(offered)).toBe(true);
  expect(labelsOf(offered)).toEqual([
    [source.change],
    [source.upscale(2), source.upscale(4), source.removeBackground],
    [source.expand],
  ]);
  const id = buttonOf(offered, source.upscale(2));
  const shown = await begun(await member.press(offered.id, id), world);
  expect(footerOf(shown)).toContain('320 × 240');
  const words = await member.say(CHANNEL, 'no picture');
  expect(contentOf(await member.invokeOn(CHANNEL, actions.menu.use, words.id))).toContain(source.noneHere);
});

test('a forwarded picture is one as any other, and forwarded words are words', async () => {
  const { member } = await pictureWorld();
  const said = await member.say(CHANNEL, 'a cat with a hat', [await photograph()]);
  const forwarded = member.forward(said.id, CHANNEL);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, forwarded.id));
  expect(offered.content).toBe(source.what('cat\\.png'));
  expect(labelsOf(offered)[0]).toEqual([source.change]);
  const form = await member.invokeOn(CHANNEL, actions.menu.imagine, forwarded.id);
  expect(JSON.stringify(form)).toContain('a cat with a hat');
});

test('what a picture of one’s own is to become is not lost with it: the words stay, to be sent with another', async () => {
  const world = await pictureWorld();
  const { member } = world;
  const said = await member.say(CHANNEL, 'look', [await photograph()]);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, said.id));
  const form = await member.press(offered.id, buttonOf(offered, source.change));
  if (form.kind !== 'modal') throw new Error('no form');
  await eraseAll(member);
  const told = messageOf(await member.submitModal(form.interactionId, { prompt: 'a cat with a hat' }));
  expect(told.content).toBe(source.forgotten);
  const again = await member.press(told.id, buttonOf(told, actions.edit));
  if (again.kind !== 'modal') throw new Error('no form');
  const picture = [await photograph()];
  await begun(await member.submitModal(again.interactionId, { picture }), world);
  expect(world.engine.drawn.at(-1)?.drawing).toMatchObject({
    prompt: 'a cat with a hat',
    source: { operation: 'edit' },
  });
});

test('a picture of one’s own goes on to its sides without a word', async () => {
  const world = await pictureWorld();
  const { member } = world;
  const said = await member.say(CHANNEL, 'look', [await photograph()]);
  const offered = await member.invokeOn(CHANNEL, actions.menu.use, said.id);
  if (offered.kind !== 'message') throw new Error(offered.kind);
  const { message } = offered;
  const shown = await begun(await member.select(message.id, selectOf(message, 'expand'), ['left']), world);
  expect(world.sources()).toMatchObject([{ operation: 'expand' }]);
  expect(footerOf(shown)).toContain(`240 × 120 · ${source.done.expand}`);
});

test('of several pictures in a message one is picked', async () => {
  const world = await pictureWorld();
  const { member } = world;
  const said = await member.say(CHANNEL, 'look', [
    await photograph('one.png'),
    await photograph('two.png', { width: 80, height: 64 }),
  ]);
  const offered = await member.invokeOn(CHANNEL, actions.menu.use, said.id);
  if (offered.kind !== 'message') throw new Error('no answer');
  const { message } = offered;
  const chosen = await member.select(message.id, selectOf(message, 'use'), ['1']);
  if (chosen.kind !== 'update') throw new Error('no update');
  const id = buttonOf(chosen.message, source.upscale(2));
  const shown = await begun(await member.press(message.id, id), world);
  expect(footerOf(shown)).toContain('160 × 128');
});

test('a file of a message that cannot be used takes none of the others away', async () => {
  const { member } = await pictureWorld();
  const film = { name: 'film.gif', bytes: new Uint8Array([71, 73, 70]), contentType: 'image/gif' };
  const said = await member.say(CHANNEL, 'look', [film, await photograph()]);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, said.id));
  expect(buttonOf(offered, source.upscale(2))).toContain('2x');
});

test('who pays with another key brings the picture of somebody else, and makes the same of it', async () => {
  const world = await pictureWorld();
  const other = world.as(MODERATOR);
  const form = await other.invoke(CHANNEL, 'apikey link', {});
  if (form.kind !== 'modal') throw new Error('no form');
  await other.submitModal(form.interactionId, { secret: (await world.service.addAccount()).key });
  const shown = await begun(
    await other.press(world.picture.id, buttonOf(world.picture, source.upscale(2))),
    world,
  );
  expect(footerOf(shown)).toContain('128 × 192');
  expect(world.engine.drawn.at(-1)?.inputs[0]).toBeDefined();
});

test('what is made of a private picture is private until it is published', async () => {
  const world = await pictureWorld({ private: true });
  const { picture, member } = world;
  const shown = await begun(await member.press(picture.id, buttonOf(picture, source.upscale(2))), world);
  expect(isEphemeral(shown)).toBe(true);
  expect(shown.content).not.toContain(picture.id);
});

test('a private picture that the service keeps no more is brought from where its member sees it', async () => {
  const limits = { pictureMs: 60_000 };
  const world = await pictureWorld({ private: true }, { service: { limits } });
  const { picture, member, engine } = world;
  world.clock.advance(2 * limits.pictureMs);
  for (const offered of [
    await underMore(picture, member),
    await settled(await member.invokeOn(CHANNEL, actions.menu.use, picture.id), member),
  ]) {
    expect(offered.attachments).toHaveLength(1);
    const shown = await begun(await member.press(offered.id, buttonOf(offered, source.upscale(4))), world);
    expect(footerOf(shown)).toContain('256 × 384');
    expect(engine.drawn.at(-1)?.drawing.source).toMatchObject({
      image: { file: expect.stringMatching(/^upload-/) },
    });
    // The same of the same picture within a moment would be one press.
    world.clock.advance(limits.pictureMs);
  }
});

test('what was to change of a private picture that is nowhere any more is not lost', async () => {
  const limits = { pictureMs: 60_000 };
  const world = await pictureWorld({ private: true }, { service: { limits } });
  const { picture, member } = world;
  const offered = await settled(await member.invokeOn(CHANNEL, actions.menu.use, picture.id), member);
  expect(offered.attachments).toEqual([]);
  world.clock.advance(2 * limits.pictureMs);
  const form = await member.press(offered.id, buttonOf(offered, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  const told = messageOf(await member.submitModal(form.interactionId, { change: 'in the rain' }));
  expect(plain(told.content)).toBe(actions.fileGone);
  const again = await member.press(told.id, buttonOf(told, actions.edit));
  expect(JSON.stringify(again)).toContain('a red fox, in the rain');
});

test('a private picture is varied by strangers only after a question that says so', async () => {
  const engine = { ...editingEngine(), abilities: () => ({ ...ALL_ABILITIES, seenByStrangers: true }) };
  const world = await botWorld({ service: { engine } });
  const { member } = world;
  await world.imagined(FOX);
  const asked = await run(member, 'imagine', { ...FOX, private: true });
  const picture = await begun(await member.press(asked.id, buttonOf(asked, en.confirm.make)), world);
  const before = await world.service.balance();
  messageOf(await member.press(picture.id, buttonOf(picture, source.varySubtly)));
  await world.reads(en.question.seen, member);
  expect(await world.service.balance()).toBe(before);
});

test('only sides are offered to which a picture can go on', async () => {
  const { member } = await pictureWorld();
  const sidesOf = async (size: { width: number; height: number }) => {
    const said = await member.say(CHANNEL, 'look', [await photograph('one.png', size)]);
    const offered = await member.invokeOn(CHANNEL, actions.menu.use, said.id);
    const menu = offered.kind === 'message' && offered.message.components?.at(-1);
    if (!menu || menu.type !== ComponentType.ActionRow) throw new Error('no menu');
    const [select] = menu.components;
    return select?.type === ComponentType.StringSelect ? select.options.map(({ value }) => value) : [];
  };
  expect(await sidesOf({ width: 128, height: 128 })).not.toContain('square');
  // The service keeps it with 2048 pixels at the most.
  expect(await sidesOf({ width: 3_000, height: 100 })).toContain('left');
});

test('details and /jobs show the line back to the first picture', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const larger = await begun(await member.press(picture.id, buttonOf(picture, source.upscale(2))), world);
  const more = await underMore(larger, member);
  const wider = await begun(await member.select(more.id, selectOf(more, 'expand'), ['around']), world);
  const details = await underMore(wider, member);
  const line = details.embeds[0]?.fields?.find(({ name }) => name === actions.from)?.value;
  expect(line).toBe(`[a red fox](${linkTo(larger)}) ← [a red fox](${linkTo(picture)})`);
  const { embeds } = await run(member, 'jobs');
  const [widest = '', large = '', first = ''] = embeds.map(({ description }) => description);
  expect(widest).toContain(`${actions.from}: ${line}`);
  expect([widest, large]).toEqual([
    expect.stringContaining(`· ${source.done.expand} ·`),
    expect.stringContaining(`· ${source.done.upscale(2)} ·`),
  ]);
  expect(first).not.toContain(actions.from);
});

test('what is made again of the words alone names no picture that it was made from', async () => {
  const world = await pictureWorld();
  const { picture, member } = world;
  const again = await begun(await member.press(picture.id, buttonOf(picture, texts.again)), world);
  expect(again.content).toBe(picture.content);
  const { embeds } = await run(member, 'jobs');
  expect(JSON.stringify(embeds)).not.toContain(actions.from);
});

test('a member who may not bring pictures can still go on with what was made here', async () => {
  const world = await pictureWorld({}, { storeUrl: await storeWithSettings({ ownPictures: false }) });
  const shown = await begun(
    await world.member.press(world.picture.id, buttonOf(world.picture, source.upscale(2))),
    world,
  );
  expect(footerOf(shown)).toContain('128 × 192');
});

test('where no picture may be brought, no form has a field for one', async () => {
  const world = await pictureWorld({}, { storeUrl: await storeWithSettings({ ownPictures: false }) });
  const { picture, member } = world;
  const edited = await member.press(picture.id, buttonOf(picture, actions.edit));
  expect(JSON.stringify(edited)).toContain(source.form.change);
  expect(JSON.stringify(edited)).not.toContain(source.form.picture);
  const image = await photograph();
  const options = { prompt: 'a cat', size: '64x64', strength: 0.4, image };
  const refused = messageOf(await member.invoke(CHANNEL, 'imagine', options));
  const form = await member.press(refused.id, buttonOf(refused, actions.edit));
  if (form.kind !== 'modal') throw new Error('no form');
  expect(JSON.stringify(form)).not.toContain(source.form.picture);
  const shown = await begun(await member.submitModal(form.interactionId, {}), world);
  expect(footerOf(shown)).toContain('64 × 64');
});
