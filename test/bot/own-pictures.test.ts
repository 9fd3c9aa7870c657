import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@darkroom/time';
import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createSketchEngine } from '../../packages/image-service/src/engines/sketch.ts';
import { animatedPng } from '../../packages/image-service/test/support/brought-pictures.ts';
import { ALL_OPERATIONS, editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  sees,
  smallWorld,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow, underMore } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { run, settled } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { begun, contentOf, labelsOf, photograph, pictureWorld } from '../support/picture-world.ts';

const { actions, source } = en;

/** Somebody says that a picture shows them. */
async function reported(
  picture: APIMessage,
  user: UserClient,
  { reads }: Pick<BotWorld, 'reads'>,
): Promise<void> {
  const more = await underMore(picture, user);
  const form = await user.press(more.id, buttonOf(more, en.report.report));
  if (form.kind !== 'modal') throw new Error('no form');
  await user.submitModal(form.interactionId, { reason: 'that is me' });
  await reads(en.report.filed, user);
}

/** A world with a picture that a member has made from one of their own. */
async function broughtWorld() {
  const world = await pictureWorld();
  const image = await photograph();
  const made = await begun(
    await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat with a hat', image }),
    world,
  );
  return { ...world, made, sha256: createHash('sha256').update(image.bytes).digest('hex') };
}

test('a bad file is refused in private in a sentence, and nothing is charged or kept', async () => {
  // As much as a boosted server takes.
  const world = await pictureWorld({}, { discord: { attachmentSizeLimit: 100 * 1024 ** 2 } });
  const { member, service } = world;
  const before = await service.balance();
  const named = (name: string, contentType: string, bytes: Uint8Array) => ({ name, contentType, bytes });
  const some = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const line = await photograph('line.png', { width: 6_000, height: 64 });
  const bomb = await photograph('bomb.png', { width: 6_000, height: 6_000 });
  const whole = (await photograph('cut.png', { width: 300, height: 300 })).bytes;
  for (const [file, sentence] of [
    [named('empty.png', 'image/png', new Uint8Array()), source.empty],
    [named('a.svg', 'image/svg+xml', some), source.noPicture],
    [named('a.heic', 'image/heic', some), source.noPicture],
    [named('moving.gif', 'image/gif', some), source.noPicture],
    [named('large.png', 'image/png', new Uint8Array(30_000_000)), source.tooLarge],
    [bomb, source.tooManyPixels],
    [line, source.tooNarrow(32)],
    [named('lie.png', 'image/png', some), en.failure.reasons['input-unreadable']],
    [named('cut.png', 'image/png', whole.slice(0, 60)), en.failure.reasons['input-unreadable']],
  ] as const) {
    const answer = await member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image: file });
    const told = await sees(member, (message) => message.content.includes(sentence) && isEphemeral(message));
    expect(told, JSON.stringify(answer)).toBeDefined();
    // The same file would be refused again; another one can be brought.
    expect(labelsOf(told).flat()).not.toContain(en.picture.tryAgain);
    expect(labelsOf(told).flat()).toContain(en.actions.edit);
  }
  expect(await service.balance()).toBe(before);
  expect(world.sources()).toEqual([]);
});

test('a small picture, as of an emoji, is made larger and begun with', async () => {
  const world = await pictureWorld();
  const image = await photograph('tiny.png', { width: 20, height: 30 });
  await begun(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image }), world);
  expect(world.sources()).toMatchObject([{ images: [{ width: 64, height: 96 }] }]);
});

test.each([
  ['en-GB', en],
  ['de', de],
])(
  'of an animation the first frame is used, which stands below what is made of it: %s',
  async (locale, { source, picture }) => {
    const world = await pictureWorld({}, { discord: { world: worldWhere(MEMBER, locale) } });
    const frame = await photograph();
    const image = { ...frame, bytes: new Uint8Array(animatedPng(Buffer.from(frame.bytes))) };
    const made = await begun(
      await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image }),
      world,
    );
    expect(made.embeds[0]?.description).toContain(`-# ${source.firstFrame}`);
    const again = await begun(await world.member.press(made.id, buttonOf(made, picture.again)), world);
    expect(again.embeds[0]?.description).toContain(`-# ${source.firstFrame}`);
    const still = { prompt: 'a dog', image: frame };
    const other = await begun(await world.member.invoke(CHANNEL, 'imagine', still), world);
    expect(other.embeds[0]?.description).toBe('a dog');
  },
);

test('a picture that cannot be used leaves the words, to be sent with another one, or alone', async () => {
  const world = await pictureWorld();
  const { member, sources, engine } = world;
  const line = await photograph('line.png', { width: 6_000, height: 64 });
  const refused = messageOf(
    await member.invoke(CHANNEL, 'imagine', {
      prompt: 'a cat with a hat',
      image: line,
      size: '96x64',
    }),
  );
  const sent = async (picture: Parameters<UserClient['submitModal']>[1]) => {
    const id = buttonOf(refused, en.editForm.edit);
    const form = await member.press(refused.id, id);
    if (form.kind !== 'modal') throw new Error(form.kind);
    expect(JSON.stringify(form.modal)).toContain(source.form.pictureRefused);
    return begun(await member.submitModal(form.interactionId, picture), world);
  };
  await sent({ picture: [await photograph()] });
  expect(sources()).toMatchObject([{ operation: 'edit' }]);
  await sent({});
  expect(sources()).toHaveLength(1);
  expect(engine.drawn.at(-1)?.drawing).toMatchObject({ prompt: 'a cat with a hat', width: 96, height: 64 });
});

test('a scale that makes it too large, and a workflow that does not do it, are refused, and nothing is charged', async () => {
  const world = await botWorld({
    service: { engine: editingEngine(), rr3Engine: createSketchEngine() },
  });
  const { member, service } = world;
  const before = await service.balance();
  const image = await photograph('large.png', { width: 1_600, height: 1_200 });
  const { id } = await member.say(CHANNEL, '', [image]);
  const offered = messageOf(await member.invokeOn(CHANNEL, actions.menu.use, id));
  expect(labelsOf(offered).flat()).not.toContain(source.upscale(4));
  const four = buttonOf(offered, source.upscale(2)).replace('2x', '4x');
  const session = await world.login();
  const body = { content: 'forged', components: [buttonRow(four).toJSON()] };
  // Discord's answer is the message.
  const forged = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const tooWide = await member.press(forged.id, four);
  expect(contentOf(tooWide)).toContain(source.tooWide(4_096));
  await session.destroy();
  const answer = await member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image, workflow: 'rr3' });
  expect(contentOf(answer)).toContain(source.notOffered.edit(['default', 'anime', 'z-image']));
  expect(await service.balance()).toBe(before);
});

test.each([
  ['en-GB', en],
  ['de', de],
])('where no picture can be changed the words are kept, and drawn alone: %s', async (locale, { source }) => {
  const world = await botWorld({
    service: { engine: createSketchEngine() },
    discord: { world: worldWhere(MEMBER, locale) },
  });
  const { member } = world;
  const image = await photograph();
  const refused = messageOf(
    await member.invoke(CHANNEL, 'imagine', {
      prompt: 'a cat',
      size: '64x64',
      strength: 0.5,
      image,
    }),
  );
  expect(refused.content).toContain(source.wordsAlone);
  const form = await member.press(refused.id, buttonOf(refused, source.withoutPicture));
  if (form.kind !== 'modal') throw new Error(form.kind);
  expect(JSON.stringify(form.modal)).not.toContain(source.form.picture);
  const fields = { prompt: 'a cat', size: '64x64', workflow: ['default'] };
  const drawn = await begun(await member.submitModal(form.interactionId, fields), world);
  expect(drawn.attachments).toHaveLength(1);
});

test.each([
  ['en-GB', en],
  ['de', de],
])(
  'where no strength can be set, that is said, and nothing of other pictures: %s',
  async (locale, { source }) => {
    const engine = editingEngine({ ...ALL_OPERATIONS, edit: { images: 4, mask: true, strength: false } });
    const world = await botWorld({ service: { engine }, discord: { world: worldWhere(MEMBER, locale) } });
    const asked = { prompt: 'a cat', image: await photograph() };
    const refused = await world.member.invoke(CHANNEL, 'imagine', { ...asked, strength: 0.5 });
    expect(contentOf(refused)).toContain(source.withoutStrength);
    await begun(await world.member.invoke(CHANNEL, 'imagine', asked), world);
  },
);

test('what becomes larger than its server allows is refused, and nothing is charged', async () => {
  const storeUrl = await storeWithSettings({ largestSize: { width: 100, height: 100 } });
  const { member, service } = await botWorld({ service: { engine: editingEngine() }, storeUrl });
  const before = await service.balance();
  const answer = await member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image: await photograph() });
  expect(contentOf(answer)).toContain(en.rules.largestSize('160x120', '100x100'));
  expect(await service.balance()).toBe(before);
});

test('a server decides where and by whom pictures of one’s own may be used', async () => {
  const image = await photograph();
  const asked = async (settings: object) => {
    const world = await botWorld({
      service: { engine: editingEngine(ALL_OPERATIONS) },
      storeUrl: await storeWithSettings(settings),
    });
    return contentOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image }));
  };
  expect(await asked({ ownPictures: false })).toContain(en.rules.ownPictures);
  expect(await asked({ ownPictureRoles: ['100000000000000009'] })).toContain('one of these roles');
  expect(await asked({ ownPictureRoles: [GUILD] })).not.toContain('one of these roles');
});

test('in an age-restricted channel pictures of one’s own are off until it is named for them', async () => {
  const { guilds = [] } = smallWorld;
  const restricted = guilds.map((guild) => ({
    ...guild,
    channels: guild.channels.map((channel) => ({ ...channel, nsfw: channel.id === CHANNEL })),
  }));
  const image = await photograph();
  const asked = async (settings: object) => {
    const world = await botWorld({
      service: { engine: editingEngine(ALL_OPERATIONS) },
      storeUrl: await storeWithSettings(settings),
      discord: { world: { ...smallWorld, guilds: restricted } },
    });
    return { ...world, answer: await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', image }) };
  };
  expect(plain(contentOf((await asked({})).answer))).toContain(en.rules.ownPicturesAgeRestricted);
  const named = await asked({ ownPictureChannels: [CHANNEL] });
  expect((await begun(named.answer, named)).attachments).toHaveLength(1);
});

test('a report keeps what the picture was made from, step by step, and its checksum', async () => {
  const world = await broughtWorld();
  const { made, member, sha256 } = world;
  const other = world.as(MODERATOR);
  const larger = await begun(await member.press(made.id, buttonOf(made, source.upscale(2))), world);
  const changed = await begun(await other.press(larger.id, buttonOf(larger, source.varySubtly)), world);
  await reported(changed, member, world);
  const listed = await run(other, 'moderate reports');
  expect(listed.content).toContain(sha256);
  const { width } = await sharp(await world.attached(listed)).metadata();
  expect(width).toBe(160);
});

test('who blocks the member still sees what the reported picture was made from', async () => {
  const world = await broughtWorld();
  const other = world.as(MODERATOR);
  await reported(world.made, other, world);
  const listed = await run(other, 'moderate reports');
  await other.press(listed.id, buttonOf(listed, en.report.block));
  const blocked = await sees(other, ({ id, content }) => id === listed.id && content.includes('blocked'));
  expect(blocked.attachments.map(({ filename }) => filename)).toEqual(['SPOILER_brought.webp']);
});

test('who had brought a picture gets the copy that a report keeps, and takes it back; the report stays', async () => {
  const world = await broughtWorld();
  const { member, sha256 } = world;
  const other = world.as(MODERATOR);
  await reported(world.made, other, world);
  expect((await run(other, 'moderate reports')).attachments).toHaveLength(1);
  const told = await run(member, 'privacy');
  const exported = await settled(await member.press(told.id, buttonOf(told, en.privacy.export)), member);
  expect(JSON.parse(Buffer.from(await world.attached(exported)).toString())).toMatchObject({
    reportedInputs: [{ sha256, copy: expect.stringMatching(/^UklGR/) }],
  });

  const asked = await settled(await member.press(told.id, buttonOf(told, en.privacy.erase)), member);
  await member.press(asked.id, buttonOf(asked, en.privacy.eraseAll));
  await world.reads('Everything is erased', member);
  const later = await run(other, 'moderate reports');
  expect(later.embeds[0]?.description).toContain('that is me');
  expect(later.content).not.toMatch(/[0-9a-f]{64}/);
  expect(later.attachments).toEqual([]);
});

test('pictures of a blocked member are not used', async () => {
  const world = await pictureWorld();
  const said = await world.member.say(CHANNEL, 'look', [await photograph()]);
  await world.as(MODERATOR).invoke(CHANNEL, 'moderate block', { member: MEMBER });
  const answer = await world.as(MODERATOR).invokeOn(CHANNEL, actions.menu.use, said.id);
  expect(contentOf(answer)).toContain(source.ofBlocked);
});

test('what somebody else had posted is used no more once they are blocked', async () => {
  const world = await pictureWorld();
  const other = world.as(MODERATOR);
  const said = await world.member.say(CHANNEL, 'look', [await photograph()]);
  const offered = await settled(await other.invokeOn(CHANNEL, actions.menu.use, said.id), other);
  const enlarge = (message: APIMessage) => other.press(message.id, buttonOf(message, source.upscale(2)));
  const made = await begun(await enlarge(offered), world);
  await other.invoke(CHANNEL, 'moderate block', { member: MEMBER });
  const paid = await world.service.balance();
  // The same of the same picture within a moment would be one press.
  world.clock.advance(MINUTE_MS);
  for (const message of [offered, made])
    expect(contentOf(await enlarge(message))).toContain(source.ofBlocked);
  const used = await settled(await other.invokeOn(CHANNEL, actions.menu.use, made.id), other);
  expect(used.content).toContain(source.ofBlocked);
  expect(await world.service.balance()).toBe(paid);
});

test('nor is what was made of it in private shown to everybody', async () => {
  const world = await pictureWorld({}, { storeUrl: await storeWithSettings({ privateByDefault: true }) });
  const other = world.as(MODERATOR);
  const said = await world.member.say(CHANNEL, 'look', [await photograph()]);
  const offered = await settled(await other.invokeOn(CHANNEL, actions.menu.use, said.id), other);
  const begins = await other.press(offered.id, buttonOf(offered, source.upscale(2)));
  const made = await world.ended(messageOf(begins).id, other);
  await other.invoke(CHANNEL, 'moderate block', { member: MEMBER });
  const refused = await other.press(made.id, buttonOf(made, actions.publish));
  expect(contentOf(refused)).toContain(source.ofBlocked);
  const seen = world.member.messages(CHANNEL).filter((message) => !isEphemeral(message));
  expect(seen.map(({ id }) => id)).toEqual([said.id]);
});

test('nothing more is made of what began with a picture of a member who is blocked', async () => {
  const world = await broughtWorld();
  const { made, member } = world;
  const other = world.as(MODERATOR);
  const larger = await begun(await member.press(made.id, buttonOf(made, source.upscale(2))), world);
  await other.invoke(CHANNEL, 'moderate block', { member: MEMBER });
  for (const picture of [made, larger]) {
    const refused = await other.press(picture.id, buttonOf(picture, source.varySubtly));
    expect(contentOf(refused)).toContain(source.ofBlocked);
  }
  const more = labelsOf(await underMore(larger, other)).flat();
  expect(more).not.toContain(source.upscale(4));
  await begun(await other.press(world.picture.id, buttonOf(world.picture, source.upscale(2))), world);
});

test('nor what another member had made of it, once who had brought it has erased their request', async () => {
  const world = await broughtWorld();
  const { made, member } = world;
  const other = world.as(MODERATOR);
  const enlarged = async (picture: APIMessage) =>
    begun(await other.press(picture.id, buttonOf(picture, source.upscale(2))), world);
  const larger = await enlarged(made);
  const largest = await enlarged(larger);
  await other.invoke(CHANNEL, 'moderate block', { member: MEMBER });
  await eraseAll(member);
  for (const picture of [larger, largest]) {
    const refused = await other.press(picture.id, buttonOf(picture, source.varySubtly));
    expect(contentOf(refused)).toContain(source.ofBlocked);
  }
});
