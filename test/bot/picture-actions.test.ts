import { ComponentType, MessageFlags, Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { createSketchEngine } from '../../packages/image-service/src/engines/sketch.ts';
import { failingEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  sees,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { askedToDelete, buttonOf, buttonRow, picked, underMore } from '../support/buttons.ts';
import { settled } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { startedJob } from '../support/started-job.ts';

const { actions } = en;
const FOX = { prompt: 'a red fox', size: '64x64' };

const fieldsOf = ({ embeds }: APIMessage) =>
  Object.fromEntries((embeds[0]?.fields ?? []).map(({ name, value }) => [name, value]));
const labelsOf = ({ components = [] }: APIMessage) =>
  components.flatMap((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.map((one) => ('label' in one ? one.label : ''))
      : [],
  );

/** A world with a picture in it, and somebody else who sees it. */
async function pictureWorld(options = {}, world: Parameters<typeof botWorld>[0] = {}) {
  const whole = await botWorld(world);
  const picture = await whole.imagined({ ...FOX, ...options });
  const other = whole.as(MODERATOR);
  return { ...whole, picture, other };
}

test('More tells everything that made a picture, and the command that makes it again', async () => {
  const { picture, member, other } = await pictureWorld({
    negative_prompt: 'hands',
    seed: 7,
    steps: 30,
    workflow: 'anime',
    cfg: 5,
  });
  const shown = await underMore(picture, member);
  expect(shown.embeds[0]?.description).toBe(
    '```\n/imagine prompt:a red fox negative_prompt:hands size:64x64 workflow:anime steps:30 seed:7 cfg:5\n```',
  );
  expect(fieldsOf(shown)).toMatchObject({
    Size: '64 × 64',
    Seed: '`7`',
    Without: 'hands',
    [actions.askedBy]: `<@${MEMBER}>`,
    [actions.cost]: expect.stringMatching(/credit/),
    [actions.took]: expect.stringMatching(/^\d+ s$/),
  });
  const others = await underMore(picture, other);
  expect(fieldsOf(others)).not.toHaveProperty(actions.cost);
});

test('pictures whose seeds count up are made again by one command, others by one each', async () => {
  const world = await pictureWorld({ count: 3, seed: 40 });
  const { picture, member } = world;
  const detailsOf = async (shown: APIMessage) => (await underMore(shown, member)).embeds[0];
  expect((await detailsOf(picture))?.description).toContain('seed:40 count:3');
  const random = await world.imagined({ ...FOX, count: 2 });
  expect((await detailsOf(random))?.description?.match(/seed:\d+/g)).toHaveLength(2);
});

test('a command that does not fit, or would end its block, comes as a file', async () => {
  const { picture, member, attached } = await pictureWorld({ prompt: `${'a fox, '.repeat(550)}\`\`\`` });
  const shown = await underMore(picture, member);
  expect(Buffer.from(await attached(shown)).toString()).toContain('a fox, ``` size:64x64');
});

test('who picks one of several pictures sees it alone, with its seed, and can do something with it', async () => {
  const { picture, other, member, attached } = await pictureWorld({ count: 3, seed: 40 });
  const shown = await picked(picture, other, 2);
  expect(isEphemeral(shown)).toBe(true);
  expect(await attached(shown)).toEqual(await attached(picture, 1));
  expect(fieldsOf(shown)).toMatchObject({ Seed: '`41`' });
  expect(shown.embeds[0]?.description).toContain('seed:41');
  expect(labelsOf(shown)).toEqual([actions.vary, actions.postAlone]);
  expect(fieldsOf(await underMore(picture, member)).Cost).toBe(actions.credits(3));
  expect(fieldsOf(await picked(picture, member, 2)).Cost).toBe(actions.credits(1));
});

test('one of several pictures can be posted on its own, once, with who asked and where it is from', async () => {
  const { picture, other, attached } = await pictureWorld({ count: 3 });
  const shownToOther = await picked(picture, other, 2);
  const id = buttonOf(shownToOther, actions.postAlone);
  await Promise.all([other.press(shownToOther.id, id), other.press(shownToOther.id, id)]);
  const shown = await sees(other, ({ content }) => content.includes('Picture 2 of'));
  expect(shown.content).toContain(`<@${MODERATOR}>`);
  expect(shown.content).toContain(linkTo(picture));
  expect(shown.mentions).toEqual([]);
  expect(await attached(shown)).toEqual(await attached(picture, 1));
  expect(isEphemeral(shown)).toBe(false);
  expect(other.messages(CHANNEL).filter(({ content }) => content.includes('Picture 2 of'))).toHaveLength(1);
  const question = await askedToDelete(shown, other);
  await other.press(question.id, buttonOf(question, actions.delete));
  await expect.poll(() => other.message(shown.id)).toBeUndefined();
});

test('one of several private pictures is posted nowhere', async () => {
  const { picture, member } = await pictureWorld({ count: 2, private: true });
  expect(labelsOf(await picked(picture, member, 1))).toEqual([actions.vary]);
});

test('the same picture can be picked again: the menu shows no pick', async () => {
  const { picture, member } = await pictureWorld({ count: 2 });
  const [id = ''] = /imagine:pick:\d+/.exec(JSON.stringify(picture.components)) ?? [];
  const answer = await member.select(picture.id, id, ['0']);
  // What is not sent anew keeps showing what was picked, and Discord lets nobody pick it twice.
  if (answer.kind !== 'update') throw new Error(answer.kind);
  expect(answer.message).toMatchObject({ components: picture.components, embeds: picture.embeds });
  expect(answer.message.attachments).toHaveLength(2);
});

test('Publish shows a private picture to everybody, once, with the buttons of a public one', async () => {
  const { picture, member, other, attached } = await pictureWorld({ private: true });
  const id = buttonOf(picture, actions.publish);
  await Promise.all([member.press(picture.id, id), member.press(picture.id, id)]);
  const shown = await sees(other, ({ attachments }) => attachments.length > 0);
  expect(isEphemeral(shown)).toBe(false);
  expect(await attached(shown)).toEqual(await attached(picture));
  await sees(member, ({ content }) => content.includes(`/${shown.id}`));
  await member.press(picture.id, id);
  const public_ = other.messages(CHANNEL).filter(({ attachments }) => attachments.length > 0);
  expect(public_).toHaveLength(1);
  const details = await underMore(shown, other);
  expect(fieldsOf(details)).toMatchObject({ Size: '64 × 64' });
});

test('Publish obeys what the server has decided meanwhile', async () => {
  const { picture, member, other } = await pictureWorld(
    { private: true },
    { storeUrl: await storeWithSettings({ channels: [] }) },
  );
  await other.invoke(CHANNEL, 'moderate block', { member: MEMBER });
  const answer = await member.press(picture.id, buttonOf(picture, actions.publish));
  expect(JSON.stringify(answer)).toContain(en.rules.blocked(undefined));
  expect(other.messages(CHANNEL).filter(({ attachments }) => attachments.length > 0)).toEqual([]);
});

test('More offers what its reader may do, and never one thing alone', async () => {
  const world = await pictureWorld();
  const { picture, member, as } = world;
  const [own, moderators] = [await underMore(picture, member), await underMore(picture, as(MODERATOR))];
  expect(buttonOf(own, actions.delete)).toContain(picture.id);
  expect(labelsOf(own)).toEqual([actions.delete]);
  expect(labelsOf(moderators)).toEqual([actions.delete, en.report.report]);
  const theirs = await world.imagined(FOX, { user: as(MODERATOR) });
  const strangers = await underMore(theirs, member);
  expect(labelsOf(strangers)).toEqual([en.report.report]);
  for (const shown of [own, moderators, strangers]) expect(fieldsOf(shown)).toHaveProperty('Seed');
});

test('words that failed are reported like a picture: everybody in the channel reads them', async () => {
  const world = await botWorld({ service: { engine: failingEngine() } });
  const failed = await world.imagined(FOX);
  const moderator = world.as(MODERATOR);
  const shown = await underMore(failed, moderator);
  expect(labelsOf(shown)).toContain(en.report.report);
  const opened = await moderator.press(shown.id, buttonOf(shown, en.report.report));
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  const filed = await moderator.submitModal(opened.interactionId, { reason: 'rude words' });
  expect((await settled(filed, moderator)).content).toBe(en.report.filed);
});

test('in the menu of a message there are its picture’s details, and Delete asks there as well', async () => {
  const { picture, member, other } = await pictureWorld();
  const details = await settled(await other.invokeOn(CHANNEL, actions.menu.details, picture.id), other);
  expect(fieldsOf(details)).toMatchObject({ Size: '64 × 64' });
  const question = await settled(await member.invokeOn(CHANNEL, actions.menu.delete, picture.id), member);
  await member.press(question.id, buttonOf(question, actions.delete));
  await expect.poll(() => member.message(picture.id)).toBeUndefined();
});

test('a message without a picture of ours is told apart, whatever it says', async () => {
  const { member } = await pictureWorld();
  const { id } = await member.say(CHANNEL, 'imagine:more:100000000000000001');
  for (const name of [actions.menu.details, actions.menu.delete]) {
    expect((await settled(await member.invokeOn(CHANNEL, name, id), member)).content).toBe(actions.noPicture);
  }
});

/** The values of an open form, by the names of its fields. */
function formOf(opened: InteractionResult) {
  if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
  return opened.modal;
}

function filledIn(opened: InteractionResult): Record<string, string> {
  return Object.fromEntries(
    formOf(opened).components.flatMap((label) =>
      'component' in label && 'custom_id' in label.component
        ? [[label.component.custom_id, 'value' in label.component ? (label.component.value ?? '') : '']]
        : [],
    ),
  );
}

/** Fills in a form that was opened, in place of what stands there, and resolves with the outcome. */
async function submitted(
  { ended }: Pick<Awaited<ReturnType<typeof botWorld>>, 'ended'>,
  user: UserClient,
  opened: InteractionResult,
  changes: Record<string, string>,
): Promise<APIMessage> {
  const { workflow: _, ...fields } = filledIn(opened);
  const answer = messageOf(
    await user.submitModal(opened.interactionId, {
      ...fields,
      workflow: ['default'],
      ...changes,
    }),
  );
  return ended(answer.id, user);
}

const linkTo = ({ id }: APIMessage) => `https://discord.com/channels/${GUILD}/${CHANNEL}/${id}`;

test('Edit opens the form with what was asked for, and what is changed there is asked for by whoever pressed it', async () => {
  const world = await pictureWorld({ steps: 30 });
  const { picture, other } = world;
  const opened = await other.press(picture.id, buttonOf(picture, actions.edit));
  expect(filledIn(opened)).toMatchObject({ prompt: 'a red fox', size: '64x64', flags: '--steps 30' });
  const child = await submitted(world, other, opened, { prompt: 'a blue fox' });
  expect(child.embeds[0]?.description).toContain('a blue fox');
  expect(child.content).toBe(`<@${MODERATOR}>`);
});

test('Vary makes two others of the same words in one click, and says so', async () => {
  const { picture, member, ended } = await pictureWorld({ seed: 40, steps: 30 });
  const press = () => member.press(picture.id, buttonOf(picture, actions.vary));
  const answers = await Promise.all([press(), press()]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['acknowledged', 'message']);
  const [answer] = answers.filter(({ kind }) => kind === 'message');
  if (answer?.kind !== 'message') throw new Error('nothing was made');
  const child = await ended(answer.message.id);
  expect(child.content).toContain(`Variations of ${linkTo(picture)}: the same words, new seeds`);
  expect(child.embeds[0]?.description).toContain('a red fox');
  expect(child.attachments).toHaveLength(2);
  // The seed of each stands in its name.
  const names = [picture, child].flatMap(({ attachments }) => attachments.map(({ filename }) => filename));
  expect(new Set(names).size).toBe(3);
  const { Steps } = fieldsOf(await underMore(child, member));
  expect(Steps).toBe('30');
});

test('Vary keeps the composition of a sketch, also of one that is varied itself, and the details say so', async () => {
  const { picture, member, ended } = await pictureWorld(
    { seed: 40 },
    { service: { engine: createSketchEngine() } },
  );
  const vary = async (shown: typeof picture) => {
    const answer = messageOf(await member.press(shown.id, buttonOf(shown, actions.vary)));
    return ended(answer.id);
  };
  const child = await vary(picture);
  const first = await picked(child, member, 1);
  expect(first.embeds[0]?.description).toContain('prompt:a red fox --variation_of 40');
  const grandchild = await vary(first);
  expect(fieldsOf(await underMore(grandchild, member))[actions.from]).toBe(
    `[a red fox](${linkTo(child)}) ← [a red fox](${linkTo(picture)})`,
  );
  expect((await picked(grandchild, member, 2)).embeds[0]?.description).toContain('--variation_of 40');
});

test('Vary of one of several takes its words alone', async () => {
  const { picture, member, ended } = await pictureWorld({ prompt: 'a {red, blue} fox' });
  const shown = await picked(picture, member, 2);
  const answer = messageOf(await member.press(shown.id, buttonOf(shown, actions.vary)));
  const child = await ended(answer.id);
  expect(child.embeds[0]?.description).toContain('a blue fox');
  expect(child.embeds[0]?.description).not.toContain('red');
  expect(child.content).toContain(linkTo(picture));
});

test('a double click on Again begins one request, and pressing it again later another', async () => {
  const { picture, member, clock, ended } = await pictureWorld();
  const press = () => member.press(picture.id, buttonOf(picture, en.picture.again));
  const answers = await Promise.all([press(), press()]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['acknowledged', 'message']);
  clock.advance(4_000);
  const later = messageOf(await press());
  expect((await ended(later.id)).attachments).toHaveLength(1);
});

test('a child of a private picture is private, and links nowhere', async () => {
  const { picture, member, ended } = await pictureWorld({ private: true });
  const answer = messageOf(await member.press(picture.id, buttonOf(picture, en.picture.again)));
  const child = await ended(answer.id);
  expect(isEphemeral(child)).toBe(true);
  expect(child.content).not.toContain('discord.com');
});

test('Imagine this opens the form with the words of a message, or with what made its picture', async () => {
  const world = await pictureWorld();
  const { picture, member, other } = world;
  const { id } = await other.say(CHANNEL, 'a fox that I saw --steps 20');
  const opened = await member.invokeOn(CHANNEL, actions.menu.imagine, id);
  expect(filledIn(opened).prompt).toBe('a fox that I saw --steps 20');
  expect(opened).toMatchObject({ modal: { title: actions.menu.imagine } });
  expect((await submitted(world, member, opened, { size: '64x64' })).attachments).toHaveLength(1);
  const ofPicture = await member.invokeOn(CHANNEL, actions.menu.imagine, picture.id);
  expect(filledIn(ofPicture)).toMatchObject({ prompt: 'a red fox', size: '64x64' });
});

test('Imagine this reads what a message shows by components alone', async () => {
  const { member, login } = await pictureWorld();
  const client = await login();
  const text = (content: string) => ({ type: ComponentType.TextDisplay, content });
  const inContainer = { type: ComponentType.Container, components: [text('by the sea')] };
  const body = { flags: MessageFlags.IsComponentsV2, components: [text('a fox'), inContainer] };
  const { id } = (await client.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const opened = await member.invokeOn(CHANNEL, actions.menu.imagine, id);
  expect(filledIn(opened).prompt).toBe('a fox\nby the sea');
});

test('a form has an id of its own for what it shows, as phones show again what they saw under one', async () => {
  const { member, other } = await pictureWorld();
  const opened = async (words: string) => {
    const { id } = await other.say(CHANNEL, words);
    return formOf(await member.invokeOn(CHANNEL, actions.menu.imagine, id)).custom_id;
  };
  const [fox, owl, again] = [await opened('a fox'), await opened('an owl'), await opened('a fox')];
  expect(owl).not.toBe(fox);
  expect(again).toBe(fox);
});

test('Imagine this says where a message has no words, and takes no key for them', async () => {
  const { member, other } = await pictureWorld();
  const file = { name: 'fox.txt', bytes: Buffer.from('a fox') };
  const { id } = await other.say(CHANNEL, '', [file]);
  expect((await settled(await member.invokeOn(CHANNEL, actions.menu.imagine, id), member)).content).toBe(
    actions.noWords,
  );
});

test('buttons of a picture that is no longer known say so', async () => {
  const { member, login } = await pictureWorld();
  const client = await login();
  const unknown = '100000000000000000';
  const ids = [
    `edit:${unknown}`,
    `vary:${unknown}:0`,
    `more:${unknown}`,
    `only:${unknown}:0`,
    `publish:${unknown}`,
  ];
  const body = { components: [buttonRow(...ids.map((id) => `imagine:${id}`)).toJSON()] };
  const planted = (await client.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  for (const id of ids) {
    expect((await settled(await member.press(planted.id, `imagine:${id}`), member)).content).toBe(
      actions.gone,
    );
  }
});

test('in the menu of a message that is not finished there are its details and its form, and Cancel in place of Delete', async () => {
  const { member, as, reply } = await startedJob({ size: '64x64' });
  const other = as(MODERATOR);
  const details = await settled(await other.invokeOn(CHANNEL, actions.menu.details, reply.id), other);
  expect(details.content).toContain('40 %');
  expect(fieldsOf(details)).toMatchObject({ Size: '64 × 64' });
  expect(filledIn(await other.invokeOn(CHANNEL, actions.menu.imagine, reply.id)).prompt).toBe('a red fox');
  const refused = await settled(await member.invokeOn(CHANNEL, actions.menu.delete, reply.id), member);
  expect(refused.content).toBe(actions.notFinished);
});

test('a private picture that came as a direct message offers no Publish, which could not work there', async () => {
  const world = await startedJob({ private: true });
  world.discord.faults.add({ every: calls.token, effect: refusal(401, 50027) });
  await world.drawing.finish();
  await expect.poll(() => world.direct().map(({ attachments }) => attachments.length)).toEqual([1]);
  const [shown] = world.direct();
  const labels = JSON.stringify(shown?.components);
  expect(labels).not.toContain(actions.publish);
  expect(labels).toContain(actions.more);
});
