import {
  CheckboxBuilder,
  CheckboxGroupBuilder,
  ComponentType,
  FileUploadBuilder,
  GatewayDispatchEvents,
  type Interaction,
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitFields,
  RadioGroupBuilder,
  StringSelectMenuBuilder,
  UserSelectMenuBuilder,
} from 'discord.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { ModalValues } from '../../src/user-client/shapes.ts';
import { CHANNEL, MEMBER, MODERATOR, refusalOf, type TestDiscord } from '../support/local-discord.ts';
import { pingWorld, respond } from '../support/ping-world.ts';

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();

const option = (value: string, more: { default?: boolean } = {}) => ({ label: value, value, ...more });
const labelled = (set: (label: LabelBuilder) => LabelBuilder) => set(new LabelBuilder().setLabel('A field'));
const formOf = (...labels: LabelBuilder[]) =>
  new ModalBuilder()
    .setCustomId('form')
    .setTitle('Form')
    .addLabelComponents(...labels);

/** A bot that shows `form` and takes what is read out of a submission; and a member in front of it. */
async function formWorld<T>(form: ModalBuilder, read: (fields: ModalSubmitFields) => T | Promise<T>) {
  const world = await pingWorld();
  const received: T[] = [];
  const raw: unknown[] = [];
  const { errors, client } = await world.serve(async (i: Interaction) => {
    if (i.isChatInputCommand()) await i.showModal(form);
    if (!i.isModalSubmit()) return;
    received.push(await read(i.fields));
    await i.reply('thanks');
  });
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: { data: unknown }) =>
    raw.push(interaction.data),
  );
  const member = world.discord.as(MEMBER);
  const submit = async (values: ModalValues) => {
    const { interactionId } = await member.invoke(CHANNEL, 'ping');
    const answer = await member.submitModal(interactionId, values);
    expect(errors).toEqual([]);
    expect(answer).toMatchObject({ message: { content: 'thanks' } });
    return { received: received.at(-1), data: raw.at(-1) };
  };
  return { submit };
}

test('files of a form arrive with their size and kind, and can be fetched', async () => {
  const upload = new FileUploadBuilder().setCustomId('pictures').setMinValues(1).setMaxValues(2);
  const form = formOf(labelled((label) => label.setFileUploadComponent(upload)));
  const { submit } = await formWorld(form, async (fields) =>
    Promise.all(
      (fields.getUploadedFiles('pictures', true) ?? []).map(
        async ({ url, name, width, height, contentType }) => ({
          name,
          width,
          height,
          contentType,
          bytes: Buffer.from(await (await fetch(url)).arrayBuffer()),
        }),
      ),
    ),
  );
  const bytes = await picture();
  const { received, data } = await submit({
    pictures: [
      { name: 'a.png', bytes },
      { name: 'b.txt', bytes: Buffer.from('text') },
    ],
  });
  expect(received).toEqual([
    { name: 'a.png', width: 40, height: 30, contentType: 'image/png', bytes },
    { name: 'b.txt', width: null, height: null, contentType: 'text/plain', bytes: Buffer.from('text') },
  ]);
  const ids = Object.keys((data as { resolved: { attachments: object } }).resolved.attachments);
  expect(data).toMatchObject({
    custom_id: 'form',
    components: [
      {
        type: ComponentType.Label,
        id: 1,
        component: { type: ComponentType.FileUpload, id: 2, custom_id: 'pictures', values: ids },
      },
    ],
  });
});

test('how many files and of which types, the form says', async () => {
  const upload = new FileUploadBuilder()
    .setCustomId('pictures')
    .setMinValues(2)
    .setMaxValues(3)
    .setFileTypes('image', '.pdf');
  const form = formOf(labelled((label) => label.setFileUploadComponent(upload)));
  const { submit } = await formWorld(form, (fields) => fields.getUploadedFiles('pictures')?.size);
  const files = (...names: string[]) => ({
    pictures: names.map((name) => ({ name, bytes: Buffer.from('x') })),
  });
  const refused = { reason: 'invalid', field: 'pictures' };
  await expect(submit({})).rejects.toMatchObject({ ...refused, message: 'This is required.' });
  await expect(submit(files('a.png'))).rejects.toMatchObject({ ...refused, message: 'Pick 2 to 3.' });
  await expect(submit(files('a.png', 'b.png', 'c.png', 'd.png'))).rejects.toMatchObject(refused);
  await expect(submit(files('a.png', 'b.txt'))).rejects.toMatchObject({
    ...refused,
    message: /\.avif, \.pdf/,
  });
  await expect(submit({ pictures: ['a.png'] })).rejects.toMatchObject({
    ...refused,
    message: 'Pick a file.',
  });
  expect((await submit(files('a.PNG', 'b.pdf', 'c.jfif'))).received).toBe(3);
});

test('a file may be left out where the form does not ask for one', async () => {
  const upload = new FileUploadBuilder().setCustomId('picture').setRequired(false);
  const form = formOf(labelled((label) => label.setFileUploadComponent(upload)));
  const { submit } = await formWorld(form, (fields) => fields.getUploadedFiles('picture'));
  const { received, data } = await submit({});
  expect(received).toBeNull();
  expect(data).toMatchObject({ components: [{ component: { values: [] } }] });
});

const choices = () =>
  formOf(
    labelled((label) =>
      label.setRadioGroupComponent(
        new RadioGroupBuilder()
          .setCustomId('side')
          .setRequired(false)
          .addOptions(option('left'), option('right', { default: true })),
      ),
    ),
    labelled((label) =>
      label.setCheckboxGroupComponent(
        new CheckboxGroupBuilder()
          .setCustomId('colours')
          .setMinValues(2)
          .addOptions(option('red', { default: true }), option('green', { default: true }), option('blue')),
      ),
    ),
    labelled((label) =>
      label.setCheckboxComponent(new CheckboxBuilder().setCustomId('keep').setDefault(true)),
    ),
    labelled((label) =>
      label.setStringSelectMenuComponent(
        new StringSelectMenuBuilder()
          .setCustomId('size')
          .addOptions(option('small'), option('large', { default: true })),
      ),
    ),
    labelled((label) =>
      label.setUserSelectMenuComponent(
        new UserSelectMenuBuilder().setCustomId('friend').setDefaultUsers(MODERATOR),
      ),
    ),
  );

const chosen = (fields: ModalSubmitFields) => ({
  side: fields.getRadioGroup('side'),
  colours: fields.getCheckboxGroup('colours'),
  keep: fields.getCheckbox('keep'),
  size: fields.getStringSelectValues('size'),
  friend: fields.getSelectedUsers('friend')?.map(({ id }) => id),
});

test('what nobody touches is sent as the form shows it', async () => {
  const { submit } = await formWorld(choices(), chosen);
  expect((await submit({})).received).toEqual({
    side: 'right',
    colours: ['red', 'green'],
    keep: true,
    size: ['large'],
    friend: [MODERATOR],
  });
});

test('a radio group gives one value or none, a group of checkboxes as many as it asks for, a checkbox yes or no', async () => {
  const { submit } = await formWorld(choices(), chosen);
  const given = {
    side: 'left',
    colours: ['blue', 'red', 'green'],
    keep: false,
    size: ['small'],
    friend: [MEMBER],
  };
  expect((await submit(given)).received).toEqual(given);
  expect((await submit({ side: '' })).received).toMatchObject({ side: null });
  for (const [field, values] of Object.entries({
    side: ['middle', ['left', 'right'], true],
    colours: [['red'], ['red', 'yellow'], [], 'red'],
    keep: ['yes'],
  })) {
    for (const value of values) {
      await expect(submit({ [field]: value })).rejects.toMatchObject({ reason: 'invalid', field });
    }
  }
});

test('a file upload stands in a label, and nowhere else', async () => {
  const world = await pingWorld();
  const data = {
    custom_id: 'f',
    title: 'F',
    components: [{ type: ComponentType.FileUpload, custom_id: 'a' }],
  };
  expect(await refusalOfForm(world, data)).toMatchObject({ data: { components: { 0: {} } } });
});

/** What a bot is answered that shows this form. */
async function refusalOfForm(world: TestDiscord, data: object): Promise<unknown> {
  const refusals: Awaited<ReturnType<typeof refusalOf>>[] = [];
  await world.serve(async (i) => {
    refusals.push(await refusalOf(respond(world.rest, i, { body: { type: 9, data } })));
    if (i.isRepliable()) await i.reply('sorry');
  });
  const answer = await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  expect(answer).toMatchObject({ message: { content: 'sorry' } });
  expect(refusals).toMatchObject([{ code: 50035 }]);
  return refusals[0]?.errors;
}

const upload = (more: object = {}) => ({ type: ComponentType.FileUpload, custom_id: 'a', ...more });
const radio = (options: object[], more: object = {}) => ({
  type: ComponentType.RadioGroup,
  custom_id: 'a',
  options,
  ...more,
});
const boxes = (options: object[], more: object = {}) => ({
  type: ComponentType.CheckboxGroup,
  custom_id: 'a',
  options,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, n) => option(String(n)));
const IN_LABEL = 'data.components.0.component';

test.each<[string, object, path: string]>([
  ['a file upload for eleven files', upload({ max_values: 11 }), 'max_values'],
  ['a file upload for no file', upload({ max_values: 0 }), 'max_values'],
  ['a file upload with a negative least', upload({ min_values: -1 }), 'min_values'],
  ['a file upload with a least over its most', upload({ min_values: 2 }), 'min_values'],
  ['a required file upload that asks for none', upload({ min_values: 0 }), 'min_values'],
  [
    'a file upload with eleven types',
    upload({ file_types: many(11).map(({ value }) => `.${value}`) }),
    'file_types',
  ],
  ['a file upload with a type without its dot', upload({ file_types: ['.png', 'pdf'] }), 'file_types.1'],
  ['a file upload without a custom id', upload({ custom_id: '' }), 'custom_id'],
  ['a radio group of one', radio(many(1)), 'options'],
  ['a radio group of eleven', radio(many(11)), 'options'],
  ['a radio group with a value twice', radio([option('a'), option('a')]), 'options.1.value'],
  [
    'a radio group with two defaults',
    radio([option('a', { default: true }), option('b', { default: true })]),
    'options',
  ],
  ['a group of no checkboxes', boxes([]), 'options'],
  ['a group of eleven checkboxes', boxes(many(11)), 'options'],
  ['a group that asks for more than there are', boxes(many(2), { min_values: 3 }), 'min_values'],
  ['a group that takes more than there are', boxes(many(2), { max_values: 3 }), 'max_values'],
  ['a required group that asks for none', boxes(many(2), { min_values: 0 }), 'min_values'],
  [
    'a required menu that asks for none',
    { type: ComponentType.UserSelect, custom_id: 'a', min_values: 0 },
    'min_values',
  ],
  [
    'a checkbox whose default is a word',
    { type: ComponentType.Checkbox, custom_id: 'a', default: 'yes' },
    'default',
  ],
])('a form with %s is refused with 50035 at its field', async (_name, component, path) => {
  const world = await pingWorld();
  const data = {
    custom_id: 'f',
    title: 'F',
    components: [{ type: ComponentType.Label, label: 'l', component }],
  };
  const errors = await refusalOfForm(world, data);
  const leaf = `${IN_LABEL}.${path}`
    .split('.')
    .reduce<unknown>((node, key) => Reflect.get(Object(node), key), errors);
  expect(leaf).toEqual({ _errors: [{ code: expect.any(String), message: expect.any(String) }] });
});
