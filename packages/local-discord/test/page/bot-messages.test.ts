import { axeProblems, createDeferred, describeInChromium, type Visit } from '@darkroom/testing';
import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  ChannelType,
  type ChatInputCommandInteraction,
  ContainerBuilder,
  EmbedBuilder,
  FileBuilder,
  type Interaction,
  LabelBuilder,
  MediaGalleryBuilder,
  type MessageActionRowComponentBuilder,
  MessageFlags,
  ModalBuilder,
  SectionBuilder,
  SeparatorBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
  ThumbnailBuilder,
} from 'discord.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local-discord.ts';
import { CHANNEL, GUILD, MEMBER, MODERATOR } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const row = (...components: MessageActionRowComponentBuilder[]) =>
  new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(components);
const button = (label: string, style: ButtonStyle.Primary | ButtonStyle.Success | ButtonStyle.Danger) =>
  new ButtonBuilder().setLabel(label).setCustomId(label).setStyle(style);

const formOf = (...labels: LabelBuilder[]) =>
  new ModalBuilder()
    .setCustomId('form')
    .setTitle('Tell more')
    .addLabelComponents(...labels);

const redField = () =>
  sharp({ create: { width: 640, height: 320, channels: 3, background: '#8a3b2a' } })
    .png()
    .toBuffer();

/** Of the word on a covered picture, and of what it stands on. */
const COVER_COLOURS = `(({ color, backgroundColor }) => [color, backgroundColor])(
  getComputedStyle(document.querySelector('.cover span') ?? document.querySelector('.cover')),
)`;

const IS_FOCUSED = (element: { ownerDocument: { activeElement: unknown } }) =>
  element.ownerDocument.activeElement === element;

describeInChromium('what bots may show on the chat page', (open) => {
  /** A bot with one command, `/show`, which the member has just sent. */
  async function show(
    onCommand: (interaction: ChatInputCommandInteraction) => Promise<unknown>,
    onOther: (interaction: Interaction) => Promise<unknown> = async () => undefined,
    options: Pick<LocalDiscordOptions, 'initialResponseMs'> = {},
  ) {
    const world = await openLocalDiscord({ page: true, ...options });
    await world.register(
      new SlashCommandBuilder().setName('show').setDescription('Shows something').toJSON(),
    );
    const { client } = await world.serve(async (interaction) => {
      if (interaction.isChatInputCommand()) await onCommand(interaction);
      else await onOther(interaction);
    });
    const opened = await open(world.address.url);
    await opened.startCommand('show');
    await opened.page.keyboard.press('Enter');
    return { client, discord: world.discord, ...opened, last: opened.messages.last() };
  }

  test('markdown, mentions, and a time that moves by itself', async () => {
    const began = Math.floor(Date.now() / 1_000);
    const { last, screenshot } = await show((interaction) =>
      interaction.reply(
        `**bold** *slanted* \`code\` ~~gone~~ [words](https://example.com) <@${interaction.user.id}> ||hidden|| <t:${began}:R>`,
      ),
    );
    await last.locator('strong', { hasText: 'bold' }).waitFor();
    expect(await last.locator('a.link').getAttribute('href')).toBe('https://example.com');
    expect(await last.locator('discord-mention').textContent()).toBe('Member');
    const time = last.locator('time.timestamp');
    const early = await time.textContent();
    await expect.poll(() => time.textContent()).not.toBe(early);
    await screenshot('markdown');
  });

  test('a time in a message that is made of components moves as well', async () => {
    const began = Math.floor(Date.now() / 1_000);
    const { last } = await show((interaction) =>
      interaction.reply({
        flags: MessageFlags.IsComponentsV2,
        components: [new TextDisplayBuilder().setContent(`<t:${began}:R>`)],
      }),
    );
    const time = last.locator('time.timestamp');
    const early = await time.textContent();
    await expect.poll(() => time.textContent()).not.toBe(early);
  });

  test('the icons of an author and of a footer are shown', async () => {
    const icon = await redField();
    const iconURL = 'attachment://icon.png';
    const { last } = await show((interaction) =>
      interaction.reply({
        embeds: [
          new EmbedBuilder().setAuthor({ name: 'Author', iconURL }).setFooter({ text: 'Foot', iconURL }),
        ],
        files: [new AttachmentBuilder(icon, { name: 'icon.png' })],
      }),
    );
    await last.getByText('Foot').waitFor();
    const width = (image: { naturalWidth: number }) => image.naturalWidth;
    for (const where of ['discord-embed', 'discord-embed-footer'])
      await expect.poll(() => last.locator(`${where} img`).first().evaluate(width)).toBe(640);
  });

  test('a menu of channels offers those that its bot takes', async () => {
    const { page, last, discord } = await show((interaction) =>
      interaction.reply({
        components: [
          new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
            new ChannelSelectMenuBuilder().setCustomId('where').setChannelTypes(ChannelType.GuildVoice),
          ),
        ],
      }),
    );
    const menu = last.getByRole('combobox');
    await menu.waitFor();
    discord.world.addChannel(GUILD, { name: 'talk', type: ChannelType.GuildVoice });
    await page.getByRole('button', { name: 'talk' }).waitFor();
    expect(await menu.locator('option').allTextContents()).toEqual(['Make a selection', '#talk']);
  });

  test('what failed for one person is not said to the next one', async () => {
    const { page, last } = await show((interaction) =>
      interaction.reply({ content: 'Once', components: [row(button('Again', ButtonStyle.Primary))] }),
    );
    await last.getByText('Once').waitFor();
    await page.route(/actions$/, (route) => route.abort(), { times: 1 });
    await last.getByRole('button', { name: 'Again' }).click();
    const failure = page.getByText('The local Discord does not answer.');
    await failure.waitFor();
    await page.getByRole('radio', { name: 'Moderator' }).check();
    await expect.poll(() => page.evaluate('location.search')).toBe('?as=moderator');
    await last.getByText('Once').waitFor();
    await page.getByText('You are').waitFor();
    await expect.poll(() => failure.count()).toBe(0);
  });

  test('what stands in a quote is drawn as elsewhere, and a heading below it is one', async () => {
    const quote = [
      '# In it',
      '-# small',
      '- one',
      '  - two',
      '||hidden||',
      '<t:0:d>',
      '```',
      '- code',
      '```',
    ];
    const { last, screenshot } = await show((interaction) =>
      interaction.reply(`${quote.map((line) => `> ${line}`).join('\n')}\n## Below\n>>> - three`),
    );
    await last.getByRole('heading', { name: 'Below' }).waitFor();
    const [first, second] = [last.locator('.quote').first(), last.locator('.quote').last()];
    await first.getByRole('heading', { name: 'In it' }).waitFor();
    await first.getByRole('button', { name: 'Spoiler' }).waitFor();
    expect(await first.locator('.subtext').textContent()).toBe('small');
    expect(await first.locator('time').count()).toBe(1);
    expect(await first.locator('pre').textContent()).toBe('- code');
    expect(await first.textContent()).toContain('• one');
    expect(await first.textContent()).toContain('\u2003◦ two');
    expect(await second.textContent()).toBe('• three');
    await screenshot('quote');
  });

  test('a spoiler is reached and revealed by the keyboard, and what is in it only then', async () => {
    const photo = await redField();
    const { page, last } = await show((interaction) =>
      interaction.reply({
        content: '||[words](https://example.com)||',
        files: ['1.png', 'SPOILER_2.png', '3.png'].map((name) => ({ attachment: photo, name })),
      }),
    );
    const focused = (locator: Visit['composer']) =>
      expect.poll(() => locator.evaluate(IS_FOCUSED)).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    const word = last.locator('.photos.many .cover span');
    const lines = () =>
      word.evaluate((element: { getClientRects(): ArrayLike<unknown> }) => element.getClientRects().length);
    await expect.poll(lines).toBe(1);
    const spoiler = page.getByRole('button', { name: 'Spoiler: press to reveal' });
    const picture = (name: string) => page.getByRole('button', { name: `Open picture: ${name}` });
    await spoiler.focus();
    await page.keyboard.press('Tab');
    await focused(picture('1.png'));
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press(' ');
    await focused(last.locator('.spoiler.revealed'));
    await page.keyboard.press('Tab');
    await focused(page.getByRole('link', { name: 'words' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await focused(page.getByRole('button', { name: 'Spoiler', exact: true }));
    await page.keyboard.press('Enter');
    await focused(picture('SPOILER_2.png'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('2 / 2').waitFor();
  });

  test('a picture that is revealed stays so, and one that takes its place is covered', async () => {
    const photo = await redField();
    const again = row(button('Again', ButtonStyle.Primary), button('Next', ButtonStyle.Primary));
    const files = [new AttachmentBuilder(photo, { name: 'SPOILER_1.png' })];
    const { page, last } = await show(
      (interaction) => interaction.reply({ components: [again], files }),
      async (interaction) => {
        if (!interaction.isButton()) return;
        const next = { attachments: [], files: [new AttachmentBuilder(photo, { name: 'SPOILER_2.png' })] };
        await interaction.update({
          content: `Pressed ${interaction.customId}`,
          ...(interaction.customId === 'Next' && next),
        });
      },
    );
    await page.getByRole('button', { name: 'Spoiler', exact: true }).click();
    await last.getByRole('button', { name: 'Again' }).click();
    await last.getByText('Pressed Again').waitFor();
    expect(await last.locator('.covered').count()).toBe(0);
    await last.getByRole('button', { name: 'Next' }).click();
    await last.locator('.photo[aria-label*="SPOILER_2"]').waitFor({ state: 'attached' });
    expect(await last.locator('.covered').count()).toBe(1);
    expect(await last.locator('.photo').evaluate((picture) => picture.matches('[inert]'))).toBe(true);
  });

  test('thousands of marks in a row, and a time beyond every calendar, are shown, and the page goes on', async () => {
    const { page, last } = await show((interaction) =>
      interaction.reply({
        content: 'Then: <t:99999999999999999:R>',
        embeds: [{ description: '*'.repeat(4_096) }],
      }),
    );
    await last.getByText('Then: <t:99999999999999999:R>').waitFor();
    await expect.poll(() => last.textContent()).toContain('*'.repeat(4_096));
    await page.keyboard.type('still here');
    await expect.poll(() => page.locator('#composer-text').inputValue()).toBe('still here');
  });

  test('an embed with fields, a picture behind a spoiler, and a file', async () => {
    const photo = await redField();
    const { page, last, screenshot } = await show((interaction) =>
      interaction.reply({
        embeds: [
          {
            title: 'A title',
            url: 'https://example.com',
            description: 'Some *words*',
            color: 0xd8452e,
            fields: [
              { name: 'One', value: '1', inline: true },
              { name: 'Two', value: '`2`', inline: true },
              { name: 'Wide', value: 'all across' },
            ],
            image: { url: 'attachment://shown.png' },
            footer: { text: 'A footer' },
          },
        ],
        files: [
          new AttachmentBuilder(photo, { name: 'shown.png', description: 'A red field' }),
          new AttachmentBuilder(photo, { name: 'SPOILER_hidden.png' }),
          new AttachmentBuilder(Buffer.from('{}'), { name: 'graph.json' }),
        ],
      }),
    );
    await last.getByText('A footer').waitFor();
    await last.getByRole('button', { name: 'Open picture: A title' }).waitFor();
    await expect.poll(() => last.locator('.photos .photo').count()).toBe(1);
    expect(await last.getByRole('link', { name: 'graph.json' }).getAttribute('download')).toBe('graph.json');
    await last.getByText('2 bytes').waitFor();
    const cover = page.getByRole('button', { name: 'Spoiler', exact: true });
    // Readable on any picture: on an opaque ground of its own.
    expect(await page.evaluate(COVER_COLOURS)).toEqual(['rgb(255, 255, 255)', 'rgb(30, 31, 34)']);
    await cover.click();
    await expect.poll(() => last.locator('.covered').count()).toBe(0);
    await screenshot('embed');
  });

  test('several embeds of one message are equally wide', async () => {
    const { last } = await show((interaction) =>
      interaction.reply({
        embeds: [{ description: 'Short' }, { description: 'With a good many more words than the other has' }],
      }),
    );
    await last.getByText('Short').waitFor();
    const widths = await last
      .locator('.discord-embed-wrapper')
      .evaluateAll((embeds) => embeds.map((embed) => embed.getBoundingClientRect().width));
    expect(widths).toHaveLength(2);
    expect(widths[0]).toBe(widths[1]);
  });

  test('on a phone, a line of an embed is as long as there is room, whatever stands below', async () => {
    const { page, last } = await show((interaction) =>
      interaction.reply({
        embeds: [
          {
            description:
              '**1** a lighthouse at sunset, oil painting\n**2** a sailing ship at sunset, oil painting',
            footer: { text: '512 × 512 · Seeds 3222778227, 1297577240 · default' },
          },
        ],
      }),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await last.getByText('Seeds').waitFor();
    const [text, footer] = await Promise.all(
      ['description', 'footer'].map((part) => last.locator(`discord-embed-${part}`).boundingBox()),
    );
    expect(text?.width).toBe(footer?.width);
    // Two lines, each in one.
    expect(text?.height).toBeLessThan(60);
  });

  test('four pictures of one message are tiles in two rows, also on a phone', async () => {
    const photo = await redField();
    const { page, last, screenshot } = await show((interaction) =>
      interaction.reply({
        files: ['1', '2', '3', '4'].map((name) => ({ attachment: photo, name: `${name}.png` })),
      }),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await last.getByRole('button', { name: 'Open picture: 4.png' }).waitFor();
    const tiles = await last.locator('.photos .photo').all();
    const boxes = () => Promise.all(tiles.map((tile) => tile.boundingBox()));
    await expect.poll(async () => new Set((await boxes()).map((box) => box?.x)).size).toBe(2);
    await expect.poll(async () => new Set((await boxes()).map((box) => box?.y)).size).toBe(2);
    await screenshot('gallery');
  });

  test('a reply leads to what it answers, and the page itself has nowhere to scroll to', async () => {
    const { page, last, messages } = await show(async (interaction) => {
      await interaction.reply('The **first** word');
      await interaction.followUp('and another line\n'.repeat(60));
      await interaction.followUp('The last word');
    });
    await last.getByText('The last word').waitFor();
    await last.getByRole('button', { name: 'Go to the message that this answers' }).click();
    await expect.poll(async () => (await messages.first().boundingBox())?.y).toBeGreaterThan(70);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(page.viewportSize()?.height);
  });

  test('what is replied to is shown in one line that stays in the message', async () => {
    const { page, last } = await show(async (interaction) => {
      await interaction.reply(
        `**What is kept**\n- the words, ${'for a long time '.repeat(20)}\n- the rest\n\nNobody looked.`,
      );
      await interaction.followUp('The last word');
    });
    await last.getByText('The last word').waitFor();
    const line = last.getByRole('button', { name: 'Go to the message that this answers' });
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const [inner, outer] = [await line.boundingBox(), await last.boundingBox()];
      expect(inner?.height).toBeLessThan(30);
      expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual(
        (outer?.x ?? 0) + (outer?.width ?? 0),
      );
    }
    expect(await line.textContent()).toContain('What is kept');
  });

  test('a link to a message is no address, neither in a message nor where that one is replied to', async () => {
    const { messages, last } = await show(async (interaction) => {
      const { id } = await (await interaction.reply('First')).fetch();
      const url = `https://discord.com/channels/${interaction.guildId}/${interaction.channelId}/${id}`;
      await interaction.editReply({
        content: `See ${url} first`,
        embeds: [{ description: `[a fox](${url})` }],
      });
      await interaction.followUp('The last word');
    });
    await last.getByText('The last word').waitFor();
    const answered = last.getByRole('button', { name: 'Go to the message that this answers' });
    expect((await answered.textContent())?.trim()).toBe('See #general › message first');
    expect(await messages.first().locator('button.jump').textContent()).toContain('general');
    await messages.first().getByRole('button', { name: 'a fox', exact: true }).waitFor();
  });

  test('buttons of every kind, a menu, and what becomes of them', async () => {
    const { page, last, screenshot } = await show(
      (interaction) =>
        interaction.reply({
          content: 'Choose',
          components: [
            row(
              button('Go', ButtonStyle.Primary),
              button('Fine', ButtonStyle.Success),
              button('Away', ButtonStyle.Danger).setDisabled(true),
              new ButtonBuilder().setLabel('Read').setURL('https://example.com').setStyle(ButtonStyle.Link),
            ),
            row(
              new StringSelectMenuBuilder()
                .setCustomId('colour')
                .setPlaceholder('A colour')
                .addOptions({ label: 'Red', value: 'r' }, { label: 'Blue', value: 'b' }),
            ),
          ],
        }),
      async (interaction) => {
        if (interaction.isButton()) await interaction.update(`Pressed ${interaction.customId}`);
        if (interaction.isStringSelectMenu()) await interaction.update(`Picked ${interaction.values.join()}`);
      },
    );
    expect(await page.getByRole('button', { name: 'Away' }).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Read' }).getAttribute('rel')).toContain('noopener');
    // What is longer than the menu ends in an ellipsis, and not within a word.
    const overflow = "getComputedStyle(document.querySelector('.messages select')).textOverflow";
    expect(await page.evaluate(overflow)).toBe('ellipsis');
    await screenshot('components');
    await page.getByRole('button', { name: 'Go' }).click();
    await last.getByText('Pressed Go').waitFor();
    await page.getByRole('combobox', { name: 'A colour' }).selectOption('b');
    await last.getByText('Picked b').waitFor();
  });

  test('the keyboard looks through a menu, takes an option by Enter only, and stays there', async () => {
    const colours = (chosen?: string) =>
      row(
        new StringSelectMenuBuilder()
          .setCustomId('colour')
          .addOptions(
            ['Red', 'Blue', 'Green'].map((label) => ({ label, value: label, default: label === chosen })),
          ),
      );
    const picked: string[] = [];
    const answered = createDeferred<void>();
    const { page, last, screenshot } = await show(
      (interaction) => interaction.reply({ content: 'Choose', components: [colours()] }),
      async (interaction) => {
        if (!interaction.isStringSelectMenu()) return;
        picked.push(...interaction.values);
        await answered.promise;
        await interaction.update({
          content: `Picked ${picked}`,
          components: [colours(interaction.values[0])],
        });
      },
    );
    const menu = last.getByRole('combobox');
    const isOpen = () => menu.evaluate((list) => list.matches(':open'));
    await menu.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await screenshot('menu');
    await page.keyboard.press('Escape');
    await expect.poll(isOpen).toBe(false);
    expect(await menu.inputValue()).toBe('');
    await page.keyboard.press('b');
    await expect.poll(isOpen).toBe(true);
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await last.locator('select[aria-disabled]').waitFor();
    expect(await menu.evaluate(IS_FOCUSED)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await menu.click({ force: true });
    expect(await isOpen()).toBe(false);
    answered.resolve();
    await last.getByText('Picked').waitFor();
    await last.locator('select:not([aria-disabled])').waitFor();
    expect(await menu.evaluate(IS_FOCUSED)).toBe(true);
    expect(picked).toEqual(['Blue']);
  });

  test('where a page cannot open a menu, the browser does by its own keys, and no letter picks', async () => {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('colour')
      .addOptions(['Red', 'Blue'].map((label) => ({ label, value: label })));
    const { page, last } = await show((interaction) => interaction.reply({ components: [row(menu)] }));
    const list = last.getByRole('combobox');
    await list.waitFor();
    await page.evaluate('delete HTMLSelectElement.prototype.showPicker');
    await list.focus();
    await page.keyboard.press('b');
    expect(await list.inputValue()).toBe('');
    await page.keyboard.press('Space');
    await expect.poll(() => list.evaluate((element) => element.matches(':open'))).toBe(true);
  });

  test('on a phone, an option of a menu is as large as a finger', async () => {
    const { page, last } = await show((interaction) =>
      interaction.reply({
        components: [
          row(new StringSelectMenuBuilder().setCustomId('side').addOptions({ label: 'Left', value: 'l' })),
        ],
      }),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await last.getByRole('combobox').click();
    const option = last.getByRole('option', { name: 'Left' });
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test('an option can be picked again after every edit, also where the menu is the same', async () => {
    const menu = row(
      new StringSelectMenuBuilder()
        .setCustomId('colour')
        .addOptions({ label: 'Red', value: 'r' }, { label: 'Blue', value: 'b' }),
    );
    let picks = 0;
    const { page, last } = await show(
      (interaction) => interaction.reply({ content: 'Choose', components: [menu] }),
      async (interaction) => {
        if (interaction.isStringSelectMenu())
          await interaction.update({ content: `Pick ${++picks}: ${interaction.values}`, components: [menu] });
      },
    );
    const list = last.getByRole('combobox');
    await list.focus();
    for (const pick of [1, 2, 3]) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await last.getByText(`Pick ${pick}: r`).waitFor();
      await last.locator('select:not([aria-disabled])').waitFor();
      expect(await list.inputValue()).toBe('');
    }
  });

  test('a menu of which several are picked closes by Escape and by its button, and keeps the focus', async () => {
    const { page, last } = await show(
      (interaction) =>
        interaction.reply({
          content: 'Choose',
          components: [
            row(
              new StringSelectMenuBuilder()
                .setCustomId('colours')
                .setPlaceholder('Colours')
                .setMaxValues(2)
                .addOptions(
                  { label: 'Red', value: 'r', description: 'As fire' },
                  { label: 'Blue', value: 'b' },
                ),
            ),
          ],
        }),
      async (interaction) => {
        if (interaction.isStringSelectMenu()) await interaction.update(`Picked ${interaction.values.join()}`);
      },
    );
    const menu = last.locator('details.select');
    const isClosed = () => expect.poll(() => menu.getAttribute('open')).toBe(null);
    const head = menu.locator('summary');
    await head.focus();
    await page.keyboard.press('Enter');
    await menu.getByText('As fire').waitFor();
    await menu.getByLabel('Red').focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('Escape');
    await isClosed();
    expect(await head.evaluate(IS_FOCUSED)).toBe(true);
    await last.getByText('Picked r').waitFor();
    await page.keyboard.press('Enter');
    await menu.getByLabel('Blue').check();
    await menu.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await isClosed();
    expect(await head.evaluate(IS_FOCUSED)).toBe(true);
    await last.getByText('Picked b').waitFor();
    expect(await menu.getByLabel('Blue').isChecked()).toBe(false);
  });

  test('Components V2: texts, pictures, files and controls, in sections and containers', async () => {
    const files = [
      new AttachmentBuilder(await redField(), { name: 'field.png' }),
      new AttachmentBuilder(Buffer.from('a list'), { name: 'list.txt' }),
    ];
    const field = { media: { url: 'attachment://field.png' }, description: 'A red field' };
    const text = (content: string) => new TextDisplayBuilder({ content });
    const { page, last, messages, screenshot } = await show(
      (interaction) =>
        interaction.reply({
          flags: MessageFlags.IsComponentsV2,
          files,
          components: [
            text('# Fields'),
            new ContainerBuilder({ accent_color: 0x8a3b2a })
              .addSectionComponents(
                new SectionBuilder()
                  .addTextDisplayComponents(text('**Red**, of 1948'))
                  .setThumbnailAccessory(new ThumbnailBuilder(field)),
                new SectionBuilder()
                  .addTextDisplayComponents(text('Another one?'))
                  .setButtonAccessory(button('Paint', ButtonStyle.Primary)),
              )
              .addSeparatorComponents(new SeparatorBuilder())
              .addMediaGalleryComponents(new MediaGalleryBuilder({ items: [field, field] }))
              .addFileComponents(new FileBuilder({ file: { url: 'attachment://list.txt' } })),
            new ContainerBuilder({ spoiler: true }).addTextDisplayComponents(text('It was a dream')),
            row(button('Thank you', ButtonStyle.Success)),
          ],
        }),
      async (interaction) => {
        if (interaction.isButton()) await interaction.reply(`You chose ${interaction.customId}`);
      },
    );
    await last.getByRole('heading', { name: 'Fields' }).waitFor();
    expect(await last.locator('.section strong').textContent()).toBe('Red');
    expect(await last.getByRole('img', { name: 'A red field' }).count()).toBe(3);
    expect(await last.getByRole('link', { name: 'list.txt' }).count()).toBe(1);
    const hidden = last.getByText('It was a dream');
    expect(await hidden.isVisible()).toBe(false);
    await last.getByText('Spoiler').click();
    await hidden.waitFor();
    await last.getByRole('button', { name: 'Thank you' }).waitFor();
    await screenshot('components-v2');
    expect(await axeProblems(page)).toEqual([]);
    await last.getByRole('button', { name: 'Paint' }).click();
    await messages.last().getByText('You chose Paint').waitFor();
  });

  test('what a container hides stays hidden where its message is quoted', async () => {
    const text = (content: string) => new TextDisplayBuilder({ content });
    const { page, last } = await show(async (interaction) => {
      await interaction.reply({
        flags: MessageFlags.IsComponentsV2,
        components: [
          new ContainerBuilder({ spoiler: true }).addTextDisplayComponents(text('It was a dream')),
          text('How it ends'),
        ],
      });
      await interaction.followUp('Read it');
    });
    await last.getByText('Read it').waitFor();
    expect(await page.locator('.replied').last().textContent()).toContain('How it ends');
  });

  test('reactions are counted, and a press adds one’s own or takes it back', async () => {
    const { discord, address } = await openLocalDiscord({ page: true });
    const moderator = discord.as(MODERATOR);
    const { id } = await moderator.say(CHANNEL, 'Red or blue?');
    moderator.react(id, '🔴');
    const { page, messages, screenshot } = await open(address.url);
    const reaction = (name: string, pressed: boolean) => messages.getByRole('button', { name, pressed });
    await reaction('🔴 1', false).click();
    await reaction('🔴 2', true).waitFor();
    await screenshot('reactions');
    expect(await axeProblems(page)).toEqual([]);
    await reaction('🔴 2', true).click();
    await reaction('🔴 1', false).waitFor();
  });

  test('a form whose fields are equally wide, and whose bounds are kept before it is sent', async () => {
    const { page, last } = await show(
      (interaction) =>
        interaction.showModal(
          formOf(
            new LabelBuilder()
              .setLabel('Story')
              .setTextInputComponent(
                new TextInputBuilder()
                  .setCustomId('story')
                  .setStyle(TextInputStyle.Paragraph)
                  .setMinLength(5),
              ),
            new LabelBuilder()
              .setLabel('Colour')
              .setStringSelectMenuComponent(
                new StringSelectMenuBuilder()
                  .setCustomId('colour')
                  .setRequired(false)
                  .addOptions({ label: 'Red', value: 'r' }),
              ),
          ),
        ),
      async (interaction) => {
        if (interaction.isModalSubmit())
          await interaction.reply(interaction.fields.getTextInputValue('story'));
      },
    );
    const form = page.getByRole('dialog', { name: 'Tell more' });
    const [story, colour] = [form.getByLabel('Story'), form.getByLabel('Colour')];
    expect((await colour.boundingBox())?.width).toBe((await story.boundingBox())?.width);
    await story.fill('abc');
    await form.getByRole('button', { name: 'Submit' }).click();
    await form.getByText('Too short: at least 5 characters.').waitFor();
    await story.fill('abcdef');
    await form.getByRole('button', { name: 'Submit' }).click();
    await last.getByText('abcdef').waitFor();
    await page.locator('#composer-text').waitFor();
    await page.keyboard.type('still here');
    expect(await page.locator('#composer-text').inputValue()).toBe('still here');
  });

  test('of a menu in a form several are picked by a click each', async () => {
    const colours = new StringSelectMenuBuilder()
      .setCustomId('colours')
      .setMaxValues(2)
      .addOptions(
        ['Red', 'Blue', 'Green'].map((label) => ({ label, value: label, default: label === 'Red' })),
      );
    const { page, last } = await show(
      (interaction) =>
        interaction.showModal(
          formOf(new LabelBuilder().setLabel('Colours').setStringSelectMenuComponent(colours)),
        ),
      async (interaction) => {
        if (interaction.isModalSubmit())
          await interaction.reply(interaction.fields.getStringSelectValues('colours').join());
      },
    );
    const form = page.getByRole('dialog', { name: 'Tell more' });
    const submit = form.getByRole('button', { name: 'Submit' });
    for (const colour of ['Blue', 'Green']) await form.getByRole('checkbox', { name: colour }).click();
    await submit.click();
    await form.locator('.field-problem').getByText('2').waitFor();
    await form.getByRole('checkbox', { name: 'Red' }).click();
    await submit.click();
    await last.getByText('Blue,Green').waitFor();
  });

  test('a thinking bot thinks, and an answer that only one reads is marked', async () => {
    const thought = createDeferred<void>();
    const { last, screenshot } = await show(async (interaction) => {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await thought.promise;
      await interaction.editReply('Done');
    });
    await last.getByText('Testbot is thinking…').waitFor();
    await screenshot('thinking');
    thought.resolve();
    await last.getByText('Done').waitFor();
    await last.locator('.ephemeral-note').waitFor();
  });

  test('an answer that could not be dismissed says why, and can be later', async () => {
    const { page, last, messages } = await show((interaction) =>
      interaction.reply({ content: 'For you', flags: MessageFlags.Ephemeral }),
    );
    await last.getByText('For you').waitFor();
    await page.route(/actions$/, (route) => route.abort(), { times: 1 });
    const dismiss = page.getByRole('button', { name: 'Dismiss message' });
    await dismiss.click();
    await last.getByText('The local Discord does not answer.').waitFor();
    await dismiss.click();
    await expect.poll(() => messages.getByText('For you').count()).toBe(0);
  });

  test('an answer that only one reads is gone when the page is loaded again', async () => {
    const { page, last, messages, discord } = await show((interaction) =>
      interaction.reply({ content: 'For you', flags: MessageFlags.Ephemeral }),
    );
    await last.getByText('For you').waitFor();
    await discord.as(MEMBER).say(CHANNEL, 'For all');
    await page.reload();
    await messages.getByText('For all').waitFor();
    expect(await messages.getByText('For you').count()).toBe(0);
  });

  test('a silent bot: the command and the button fail as in Discord, and the page goes on', async () => {
    const { page, client, screenshot, startCommand } = await show(
      (interaction) =>
        interaction.reply({ content: 'Once', components: [row(button('Again', ButtonStyle.Primary))] }),
      undefined,
      { initialResponseMs: 3_000 },
    );
    await page.getByRole('button', { name: 'Again' }).click();
    await page.getByText('This interaction failed').waitFor();
    await client.destroy();
    await page.getByText('Offline — 1').waitFor();
    await startCommand('show');
    await page.keyboard.press('Enter');
    await page.getByText('The application did not respond').waitFor();
    await screenshot('silent');
    await page.getByRole('button', { name: 'Dismiss message' }).click();
    await page.getByText('The application did not respond').waitFor({ state: 'hidden' });
  });
});
