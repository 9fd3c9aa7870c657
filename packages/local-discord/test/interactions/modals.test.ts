import { ModalBuilder, TextInputBuilder, TextInputStyle } from 'discord.js';
import { expect, test } from 'vitest';
import { buttonRow } from '../../../../test/support/buttons.ts';
import { CHANNEL, MEMBER, refusalOf } from '../support/local-discord.ts';
import { messageOf } from '../support/message-of.ts';
import { pingWorld, respond } from '../support/ping-world.ts';

const keyModal = () =>
  new ModalBuilder()
    .setCustomId('key')
    .setTitle('Key')
    .addLabelComponents((label) =>
      label
        .setLabel('Your key')
        .setTextInputComponent(
          new TextInputBuilder()
            .setCustomId('text')
            .setStyle(TextInputStyle.Short)
            .setMinLength(3)
            .setMaxLength(5),
        ),
    );

test('a modal is filled in, checked, and sent', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) await i.showModal(keyModal());
    else if (i.isModalSubmit()) await i.reply(`got ${i.fields.getTextInputValue('text')}`);
  });
  const member = world.discord.as(MEMBER);
  const shown = await member.invoke(CHANNEL, 'ping');
  expect(shown).toMatchObject({ kind: 'modal', modal: { title: 'Key' } });
  expect(member.openModal(shown.interactionId)?.modal.title).toBe('Key');
  await expect(member.submitModal(shown.interactionId, {})).rejects.toMatchObject({ field: 'text' });
  await expect(member.submitModal(shown.interactionId, { text: 'ab' })).rejects.toMatchObject({
    field: 'text',
  });
  expect(await member.submitModal(shown.interactionId, { text: 'abc' })).toMatchObject({
    message: { content: 'got abc' },
  });
  expect(member.openModal(shown.interactionId)).toBeUndefined();
  await expect(member.submitModal(shown.interactionId, { text: 'abc' })).rejects.toMatchObject({
    reason: 'unknown',
  });
});

test('a modal that a button opened may change the message of the button', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) await i.reply({ content: 'before', components: [buttonRow('open')] });
    else if (i.isButton()) await i.showModal(keyModal());
    else if (i.isModalSubmit() && i.isFromMessage()) await i.update('after');
  });
  const member = world.discord.as(MEMBER);
  const first = await member.invoke(CHANNEL, 'ping');
  const id = messageOf(first).id;
  const { interactionId } = await member.press(id, 'open');
  expect(await member.submitModal(interactionId, { text: 'abcd' })).toMatchObject({ kind: 'update' });
  expect(member.message(id)?.content).toBe('after');
});

test('a modal cannot follow a deferral, and cannot answer a modal', async () => {
  const world = await pingWorld();
  const codes: unknown[] = [];
  const modal = { type: 9, data: keyModal().toJSON() };
  await world.serve(async (i) => {
    const show = () => respond(world.rest, i, { body: modal });
    if (i.isChatInputCommand() && codes.length === 0) {
      await i.deferReply();
      codes.push(await refusalOf(show()));
    } else if (i.isChatInputCommand()) await show();
    else if (i.isModalSubmit()) {
      codes.push(await refusalOf(show()));
      await i.reply('done');
    }
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await expect.poll(() => codes.length).toBe(1);
  const { interactionId } = await member.invoke(CHANNEL, 'ping');
  await member.submitModal(interactionId, { text: 'abcd' });
  expect(codes).toMatchObject([{ code: 40060 }, { code: 50035, errors: { type: {} } }]);
});

test('a field for a line is filled in with one, and no field with nothing', async () => {
  const world = await pingWorld();
  const refused: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    for (const value of ['two\nlines', '']) {
      const { components, ...modal } = keyModal().toJSON();
      const filled = components.map((label) => ({
        ...label,
        component: { ...Object(label).component, value },
      }));
      const answer = { type: 9, data: { ...modal, components: filled } };
      refused.push(await refusalOf(respond(world.rest, i, { body: answer })));
    }
    await i.showModal(keyModal());
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  const value = { _errors: [{ code: expect.any(String) }] };
  const errors = { data: { components: { 0: { component: { value } } } } };
  expect(refused).toMatchObject([
    { code: 50035, errors },
    { code: 50035, errors },
  ]);
});
