import { ButtonStyle, ComponentType, MessageFlags, Routes } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNEL, MEMBER, refusalOf, startLocalDiscord, type TestDiscord } from './support/local-discord.ts';

let world: TestDiscord;
beforeAll(async () => {
  world = await startLocalDiscord();
});
afterAll(() => world.close());

const V2 = MessageFlags.IsComponentsV2;
const text = (length: number) => 'x'.repeat(length);
const button = (id: string) => ({
  type: ComponentType.Button,
  style: ButtonStyle.Primary,
  custom_id: id,
  label: id,
});
const link = { type: ComponentType.Button, style: ButtonStyle.Link, label: 'l' };
const select = (id: string, extra: object = {}) => ({
  type: ComponentType.StringSelect,
  custom_id: id,
  options: [{ label: 'a', value: 'a' }],
  ...extra,
});
const row = (...components: object[]) => ({ type: ComponentType.ActionRow, components });
const display = (length: number) => ({ type: ComponentType.TextDisplay, content: text(length) });

test.each<[string, object, path: string]>([
  ['content over 2000', { content: text(2001) }, 'content'],
  ['an embed description over 4096', { embeds: [{ description: text(4097) }] }, 'embeds.0.description'],
  ['11 embeds', { embeds: Array(11).fill({ title: 't' }) }, 'embeds'],
  ['embeds over 6000 together', { embeds: Array(2).fill({ description: text(3001) }) }, 'embeds'],
  ['26 fields', { embeds: [{ fields: Array(26).fill({ name: 'n', value: 'v' }) }] }, 'embeds.0.fields'],
  [
    'an embed image that is not attached',
    { embeds: [{ image: { url: 'attachment://a.png' } }] },
    'embeds.0.image.url',
  ],
  ...['url', 'image.url', 'author.url', 'footer.icon_url'].map((at): [string, object, path: string] => {
    const [field, key] = at.split('.');
    const inside = { name: 'n', text: 't', [key ?? '']: 'ftp://example.com/a.png' };
    return [
      `an embed with another scheme (${at})`,
      { embeds: [{ title: 't', [field ?? '']: key ? inside : 'ftp://example.com/a.png' }] },
      `embeds.0.${at}`,
    ];
  }),
  ['an embed image without a URL', { embeds: [{ image: { url: 'nonsense' } }] }, 'embeds.0.image.url'],
  [
    '6 rows',
    { content: 'x', components: Array.from({ length: 6 }, (_, n) => row(button(`b${n}`))) },
    'components',
  ],
  [
    '6 buttons in a row',
    { content: 'x', components: [row(...[0, 1, 2, 3, 4, 5].map((n) => button(`b${n}`)))] },
    'components.0.components',
  ],
  [
    'two selects in a row',
    { content: 'x', components: [row(select('a'), select('b'))] },
    'components.0.components.1',
  ],
  [
    'a custom id twice',
    { content: 'x', components: [row(button('a')), row(button('a'))] },
    'components.1.components.0.custom_id',
  ],
  [
    'a custom id over 100',
    { content: 'x', components: [row(button(text(101)))] },
    'components.0.components.0.custom_id',
  ],
  [
    'a label over 80',
    { content: 'x', components: [row({ ...button('a'), label: text(81) })] },
    'components.0.components.0.label',
  ],
  [
    'a button without label and emoji',
    { content: 'x', components: [row({ ...button('a'), label: undefined })] },
    'components.0.components.0.label',
  ],
  [
    'a button with a blank label',
    { content: 'x', components: [row({ ...button('a'), label: ' ' })] },
    'components.0.components.0.label',
  ],
  [
    'a button without custom id',
    { content: 'x', components: [row({ ...button('a'), custom_id: undefined })] },
    'components.0.components.0.custom_id',
  ],
  [
    'a link with another scheme',
    { content: 'x', components: [row({ ...link, url: 'mailto:somebody@example.com' })] },
    'components.0.components.0.url',
  ],
  ['a link without URL', { content: 'x', components: [row(link)] }, 'components.0.components.0.url'],
  [
    'a link with custom id',
    { content: 'x', components: [row({ ...link, url: 'https://example.com', custom_id: 'a' })] },
    'components.0.components.0',
  ],
  [
    'a select with min over max',
    { content: 'x', components: [row(select('a', { min_values: 2, max_values: 1 }))] },
    'components.0.components.0.min_values',
  ],
  [
    'a select with a value twice',
    {
      content: 'x',
      components: [row(select('a', { options: [1, 2].map(() => ({ label: 'a', value: 'a' })) }))],
    },
    'components.0.components.0.options.1.value',
  ],
  [
    '26 select options',
    {
      content: 'x',
      components: [
        row(select('a', { options: Array.from({ length: 26 }, (_, n) => ({ label: 'a', value: `${n}` })) })),
      ],
    },
    'components.0.components.0.options',
  ],
  ['a V2 component without the flag', { components: [display(1)] }, 'components.0.type'],
  ['V2 with content', { flags: V2, content: 'x', components: [display(1)] }, 'content'],
  ['V2 with embeds', { flags: V2, embeds: [{ title: 'x' }], components: [display(1)] }, 'embeds'],
  ['V2 text over 4000 together', { flags: V2, components: [display(2001), display(2001)] }, 'components'],
  [
    '41 nested components',
    {
      flags: V2,
      components: Array.from({ length: 4 }, () => ({
        type: ComponentType.Container,
        components: Array(10).fill(display(1)),
      })),
    },
    'components',
  ],
  [
    'a select with a blank option',
    { content: 'x', components: [row(select('a', { options: [{ label: ' ', value: 'a' }] }))] },
    'components.0.components.0.options.0.label',
  ],
  [
    'a select with fewer default values than it asks for',
    {
      content: 'x',
      components: [
        row({
          type: ComponentType.UserSelect,
          custom_id: 'a',
          min_values: 2,
          max_values: 2,
          default_values: [{ id: MEMBER, type: 'user' }],
        }),
      ],
    },
    'components.0.components.0.default_values',
  ],
  ['an embed with blanks alone', { embeds: [{ title: ' ', description: '\n' }] }, 'embeds.0.description'],
  [
    'a field without a value',
    { embeds: [{ fields: [{ name: 'n', value: ' ' }] }] },
    'embeds.0.fields.0.value',
  ],
  [
    'an embed whose author has no name',
    { embeds: [{ title: 't', author: { name: '' } }] },
    'embeds.0.author.name',
  ],
  [
    'an icon that is not attached',
    { embeds: [{ footer: { text: 't', icon_url: 'attachment://a.png' } }] },
    'embeds.0.footer.icon_url',
  ],
  [
    'a gallery whose picture is not attached',
    {
      flags: MessageFlags.IsComponentsV2,
      components: [{ type: ComponentType.MediaGallery, items: [{ media: { url: 'attachment://a.png' } }] }],
    },
    'components.0.items.0.media.url',
  ],
  [
    'a gallery whose picture is a script',
    {
      flags: V2,
      components: [{ type: ComponentType.MediaGallery, items: [{ media: { url: 'javascript:x' } }] }],
    },
    'components.0.items.0.media.url',
  ],
  [
    'a file from elsewhere',
    { flags: V2, components: [{ type: ComponentType.File, file: { url: 'https://example.com/a.txt' } }] },
    'components.0.file.url',
  ],
  [
    'two components with one id',
    {
      flags: V2,
      components: [
        { ...display(1), id: 5 },
        { ...display(1), id: 5 },
      ],
    },
    'components.1.id',
  ],
  [
    'a word as the emoji of a button',
    { content: 'x', components: [row({ ...button('a'), emoji: { name: 'smile' } })] },
    'components.0.components.0.emoji.name',
  ],
  [
    'the emoji of somebody else in a menu',
    {
      content: 'x',
      components: [
        row(
          select('a', {
            options: [{ label: 'a', value: 'a', emoji: { id: '900000000000000001', name: 'cat' } }],
          }),
        ),
      ],
    },
    'components.0.components.0.options.0.emoji.id',
  ],
  ...[
    ComponentType.FileUpload,
    ComponentType.RadioGroup,
    ComponentType.CheckboxGroup,
    ComponentType.Checkbox,
  ].map((type): [string, object, string] => [
    `what only a form may have (${ComponentType[type]})`,
    { content: 'x', components: [row({ type, custom_id: 'a', options: [{ label: 'a', value: 'a' }] })] },
    'components.0.components.0',
  ]),
  [
    'a select with more defaults than it takes',
    {
      content: 'x',
      components: [
        row(select('a', { options: ['a', 'b'].map((value) => ({ label: value, value, default: true })) })),
      ],
    },
    'components.0.components.0.options',
  ],
  [
    'a required select that asks for none',
    { content: 'x', components: [row(select('a', { min_values: 0, required: true }))] },
    'components.0.components.0.min_values',
  ],
  ['a nonce over 25', { content: 'x', nonce: text(26) }, 'nonce'],
  ['an attachment that was not sent', { content: 'x', attachments: [{ id: '0' }] }, 'attachments.0.id'],
  ['content of a wrong type', { content: 5 }, 'content'],
])('%s is refused with 50035 at its field', async (_name, body, path) => {
  const refused = await refusalOf(world.rest.post(Routes.channelMessages(CHANNEL), { body }));
  expect(refused).toMatchObject({ status: 400, code: 50035 });
  const leaf = path.split('.').reduce<unknown>((node, key) => Reflect.get(Object(node), key), refused.errors);
  expect(leaf).toEqual({ _errors: [{ code: expect.any(String), message: expect.any(String) }] });
});

test('a message with nothing in it is 50006', async () => {
  for (const body of [{}, { content: '' }, { content: '  \n' }, { embeds: [] }]) {
    const refused = await refusalOf(world.rest.post(Routes.channelMessages(CHANNEL), { body }));
    expect(refused).toMatchObject({ status: 400, code: 50006 });
  }
});

test('what is at its limit is accepted', async () => {
  const bodies = [
    { content: text(2000) },
    { embeds: [{ description: text(4096) }, { description: text(1904) }] },
    {
      content: 'x',
      components: Array.from({ length: 5 }, (_, r) =>
        row(...[0, 1, 2, 3, 4].map((n) => button(`${r}-${n}`))),
      ),
    },
    { flags: V2, components: [display(4000)] },
    { content: 'x', nonce: text(25) },
    { content: 'x', components: [row({ ...link, url: 'discord://-/settings' })] },
    { embeds: [{ title: 't', url: 'HTTPS://example.com' }] },
  ];
  for (const body of bodies) {
    await expect(world.rest.post(Routes.channelMessages(CHANNEL), { body })).resolves.toBeDefined();
  }
});

test('a component without an id gets the next one that no other has', async () => {
  const components = [display(1), { ...display(1), id: 1 }, display(1), { ...display(1), id: 3 }];
  const made = await world.rest.post(Routes.channelMessages(CHANNEL), { body: { flags: V2, components } });
  expect(made).toMatchObject({ components: [{ id: 2 }, { id: 1 }, { id: 4 }, { id: 3 }] });
});

test('the V2 flag cannot be taken from a message', async () => {
  const made = await world.rest.post(Routes.channelMessages(CHANNEL), {
    body: { flags: V2, components: [display(1)] },
  });
  const { id } = made as { id: string };
  const edit = world.rest.patch(Routes.channelMessage(CHANNEL, id), {
    body: { flags: 0, content: 'x', components: [] },
  });
  expect(await refusalOf(edit)).toMatchObject({ code: 50035, errors: { flags: {} } });
});
