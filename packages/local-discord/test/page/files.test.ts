import { axeProblems, describeInChromium, type OpenPage, type Visit } from '@darkroom/testing';
import {
  ApplicationCommandType,
  CheckboxBuilder,
  CheckboxGroupBuilder,
  FileUploadBuilder,
  LabelBuilder,
  ModalBuilder,
  RadioGroupBuilder,
  SlashCommandBuilder,
} from 'discord.js';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { MEMBER, worldWhere } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const draw = new SlashCommandBuilder()
  .setName('draw')
  .setDescription('Draws')
  .addStringOption((option) => option.setName('words').setDescription('What').setRequired(true))
  .addAttachmentOption((option) =>
    option.setName('image').setDescription('To begin with').addFileTypes('image'),
  );
const enlarge = new SlashCommandBuilder()
  .setName('enlarge')
  .setDescription('Enlarges')
  .addAttachmentOption((option) => option.setName('image').setDescription('What').setRequired(true));
const about = new SlashCommandBuilder().setName('about').setDescription('Tells about itself');
const ask = new SlashCommandBuilder().setName('ask').setDescription('Asks');

const labelled = (text: string, set: (label: LabelBuilder) => LabelBuilder) =>
  set(new LabelBuilder().setLabel(text));
const form = new ModalBuilder()
  .setCustomId('form')
  .setTitle('Edit')
  .addLabelComponents(
    labelled('Pictures', (label) =>
      label.setFileUploadComponent(
        new FileUploadBuilder().setCustomId('pictures').setMaxValues(2).setFileTypes('image'),
      ),
    ),
    labelled('Side', (label) =>
      label.setRadioGroupComponent(
        new RadioGroupBuilder()
          .setCustomId('side')
          .addOptions(
            { label: 'Left', value: 'left', description: 'where the heart is' },
            { label: 'Right', value: 'right' },
          ),
      ),
    ),
    labelled('Colours', (label) =>
      label.setCheckboxGroupComponent(
        new CheckboxGroupBuilder()
          .setCustomId('colours')
          .addOptions({ label: 'Red', value: 'red', default: true }, { label: 'Blue', value: 'blue' }),
      ),
    ),
    labelled('Keep the first', (label) =>
      label
        .setDescription('It stays where it is.')
        .setCheckboxComponent(new CheckboxBuilder().setCustomId('keep')),
    ),
  );

interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const png = async (name: string, background = '#a33'): Promise<GivenFile> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 80, height: 60, channels: 3, background } })
    .png()
    .toBuffer(),
});
const text = (name: string): GivenFile => ({ name, mimeType: 'text/plain', buffer: Buffer.from('text') });

/** Pastes or drops files at the first element that fits `selector`. */
const give = ({ page }: Visit, kind: 'paste' | 'drop', selector: string, ...files: GivenFile[]) =>
  page.evaluate(
    `((kind, selector, files) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const how = { bubbles: true, cancelable: true };
      const event = kind === 'paste'
        ? new ClipboardEvent('paste', { ...how, clipboardData: data })
        : new DragEvent('drop', { ...how, dataTransfer: data });
      document.querySelector(selector).dispatchEvent(event);
    })(${JSON.stringify(kind)}, ${JSON.stringify(selector)}, ${JSON.stringify(
      files.map(({ name, mimeType, buffer }) => ({
        name,
        type: mimeType,
        base64: buffer.toString('base64'),
      })),
    )})`,
  );

/** Pastes a picture with texts of these types beside it. Resolves with whether the browser is left to paste. */
const pasteWithTexts = ({ page }: Visit, ...types: string[]) =>
  page.evaluate<boolean>(
    `(() => {
      const clipboardData = new DataTransfer();
      for (const type of ${JSON.stringify(types)}) clipboardData.setData(type, 'Sum 12');
      clipboardData.items.add(new File([new Uint8Array(8)], 'image.png', { type: 'image/png' }));
      return document.querySelector('#composer-text').dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
      );
    })()`,
  );

/** A bot with commands that take files, and what it got. */
async function openPage(open: OpenPage, locale = 'en-US', options: Parameters<OpenPage>[1] = {}) {
  const world = await openLocalDiscord({ page: true, world: worldWhere(MEMBER, locale) });
  await world.register(draw.toJSON(), about.toJSON(), ask.toJSON(), {
    name: 'Use as picture',
    type: ApplicationCommandType.Message,
  });
  const got: unknown[] = [];
  const { errors } = await world.serve(async (interaction) => {
    if (interaction.isMessageContextMenuCommand()) {
      const { attachments } = interaction.targetMessage;
      await interaction.reply(
        `Taken: ${attachments.map(({ name, width }) => `${name} ${width}`).join(', ')}`,
      );
    } else if (interaction.isChatInputCommand() && interaction.commandName === 'ask') {
      await interaction.showModal(form);
    } else if (interaction.isChatInputCommand()) {
      const file = interaction.options.getAttachment('image');
      got.push([interaction.options.getString('words'), file?.name, file?.width]);
      await interaction.reply('Drawn');
    } else if (interaction.isModalSubmit()) {
      const { fields } = interaction;
      got.push({
        pictures: fields.getUploadedFiles('pictures')?.map(({ name, width }) => `${name} ${width}`),
        side: fields.getRadioGroup('side'),
        colours: fields.getCheckboxGroup('colours'),
        keep: fields.getCheckbox('keep'),
      });
      await interaction.reply('Asked');
    }
  });
  onTestFinished(() => expect(errors).toEqual([]));
  const visit = await open(world.address.url, options);
  return { ...visit, got, world };
}

describeInChromium('files on the chat page', (open) => {
  test('pictures are pasted, dropped or picked for a message, seen before, and used by a command afterwards', async () => {
    const visit = await openPage(open);
    const { page, messages, composer, screenshot } = visit;
    const chosen = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    await give(visit, 'paste', 'body', await png('pasted.png'));
    await chosen.filter({ hasText: 'pasted.png' }).locator('img').waitFor();
    await give(
      visit,
      'drop',
      'discord-message, .messages',
      await png('dropped.png', '#3a3'),
      text('note.txt'),
    );
    await page.getByLabel('Attach files').setInputFiles(await png('picked.png', '#33a'));
    await expect.poll(() => chosen.count()).toBe(4);
    await page.getByRole('button', { name: 'Remove note.txt' }).click();
    await expect.poll(() => chosen.count()).toBe(3);
    await screenshot('files-of-a-message');
    expect(await axeProblems(page)).toEqual([]);
    await composer.press('Enter');
    await expect.poll(() => messages.last().locator('button.photo img').count()).toBe(3);
    await expect.poll(() => chosen.count()).toBe(0);
    await messages.last().getByRole('button', { name: 'Apps for this message' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Use as picture' }).click();
    await messages.last().getByText('Taken: pasted.png 80, dropped.png 80, picked.png 80').waitFor();
  });

  test('text of an office program is pasted as text, though its picture is beside it', async () => {
    const visit = await openPage(open);
    const chosen = visit.page.getByRole('button', { name: 'Remove image.png' });
    expect(await pasteWithTexts(visit, 'text/plain', 'text/html')).toBe(true);
    // As a picture of a website is copied, and a file of a folder.
    expect(await pasteWithTexts(visit, 'text/html')).toBe(false);
    expect(await pasteWithTexts(visit, 'text/plain')).toBe(false);
    await expect.poll(() => chosen.count()).toBe(2);
  });

  test('a message takes ten files, and a folder is none', async () => {
    const visit = await openPage(open);
    const { page } = visit;
    const files = await Promise.all(Array.from({ length: 11 }, (_, n) => png(`${n}.png`)));
    await give(visit, 'drop', '#composer-text', ...files);
    await page.getByText('A message takes 10 files at most').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(10);
    await page.evaluate('FileReader.prototype.readAsDataURL = function () { this.onerror(); }');
    await page.getByRole('button', { name: 'Remove 0.png' }).click();
    await give(visit, 'drop', '#composer-text', text('folder'));
    await page.getByText("'folder' cannot be read").waitFor();
  });

  test.each(['paste', 'drop', 'pick'] as const)(
    'the option of a command takes a picture (%s)',
    async (how) => {
      const visit = await openPage(open);
      const { page, startCommand, got, messages } = visit;
      await startCommand('draw');
      await page.keyboard.type('a fox');
      const fox = await png('fox.png');
      if (how === 'pick') await page.getByLabel('Attach files').setInputFiles(fox);
      else await give(visit, how, '#composer-option-words', fox);
      await page.locator('.option-field img').waitFor();
      await page.keyboard.press('Enter');
      await messages.last().getByText('Drawn').waitFor();
      expect(got).toEqual([['a fox', 'fox.png', 80]]);
    },
  );

  test('a picture that is there before the command goes into it; a command without files says so', async () => {
    const visit = await openPage(open);
    const { page, startCommand, got, messages } = visit;
    await give(visit, 'paste', 'body', await png('fox.png'));
    await page.getByRole('button', { name: 'Remove fox.png' }).waitFor();
    await startCommand('draw');
    await page.locator('.option-field img').waitFor();
    await page.keyboard.type('a fox');
    await page.keyboard.press('Enter');
    await messages.last().getByText('Drawn').waitFor();
    expect(got).toEqual([['a fox', 'fox.png', 80]]);
    await startCommand('about');
    await give(visit, 'paste', '#composer-more', await png('fox.png'));
    await page.getByText('/about takes no file').waitFor();
  });

  test('a command that begins with a picture keeps it, also when its name is typed to the end', async () => {
    const visit = await openPage(open);
    const { page, got, messages, world } = visit;
    await world.register(enlarge.toJSON());
    await give(visit, 'paste', 'body', await png('fox.png'));
    await page.getByRole('button', { name: 'Remove fox.png' }).waitFor();
    await page.keyboard.type('/enlarge');
    await page.getByRole('option', { name: '/enlarge' }).waitFor();
    await page.keyboard.type(' ');
    await page.locator('.option-field img').waitFor();
    await page.keyboard.press('Enter');
    await messages.last().getByText('Drawn').waitFor();
    expect(got).toEqual([[null, 'fox.png', 80]]);
  });

  test('a file of another type is not taken, and the person is told in their words', async () => {
    const visit = await openPage(open, 'de', { locale: 'de' });
    const { page, startCommand } = visit;
    await startCommand('draw');
    await page.keyboard.type('ein Fuchs');
    await give(visit, 'paste', '#composer-option-words', text('fuchs.txt'));
    await page.getByText('Nur diese Dateitypen lassen sich hier wählen: .png').waitFor();
    expect(await page.getByText('fuchs.txt').count()).toBe(0);
  });

  test('a form takes files by picking, dropping and pasting, and shows them before', async () => {
    const visit = await openPage(open);
    const { page, startCommand, got, messages, screenshot } = visit;
    await startCommand('ask');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    const upload = dialog.getByLabel('Pictures');
    await upload.setInputFiles([text('b.txt'), await png('a.png')]);
    await dialog.locator('.chosen-file img').waitFor();
    await dialog.getByText('Only these file types can be picked here: .png').waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove b.txt' }).count()).toBe(0);
    await give(visit, 'drop', '.drop-zone', await png('c.png', '#3a3'));
    await dialog.getByRole('button', { name: 'Remove c.png' }).waitFor();
    await give(visit, 'paste', 'dialog input[type=radio]', await png('d.png'));
    await dialog.getByText('Pick 1 to 2.').waitFor();
    await dialog.getByRole('button', { name: 'Remove a.png' }).click();
    expect(await dialog.locator('.field.invalid').count()).toBe(0);
    await give(visit, 'paste', 'dialog input[type=radio]', await png('d.png'));
    await dialog.getByRole('button', { name: 'Remove d.png' }).waitFor();
    await dialog.getByRole('radiogroup', { name: 'Side' }).getByLabel('Right').check();
    await dialog.getByLabel('Keep the first').check();
    await screenshot('form-with-files');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await messages.last().getByText('Asked').waitFor();
    expect(got).toEqual([
      { pictures: ['c.png 80', 'd.png 80'], side: 'right', colours: ['red'], keep: true },
    ]);
  });

  test('a form is filled in by the keyboard alone, and says what is missing where it is missing', async () => {
    const { page, startCommand, got, messages } = await openPage(open);
    // From here on, as Chromium gives its chooser to a test only once it has heard of it.
    const chooser = page.waitForEvent('filechooser');
    await startCommand('ask');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    const upload = dialog.getByLabel('Pictures');
    await dialog.getByRole('button', { name: 'Submit' }).press('Enter');
    await expect.poll(() => dialog.locator('.field.invalid').count()).toBe(2);
    expect(await upload.evaluate((control) => control.matches(':focus'))).toBe(true);
    await page.keyboard.press('Space');
    await (await chooser).setFiles(await png('a.png'));
    await dialog.getByRole('button', { name: 'Remove a.png' }).press('Enter');
    await expect.poll(() => upload.evaluate((control) => control.matches(':focus'))).toBe(true);
    await upload.setInputFiles(await png('b.png'));
    await dialog.getByRole('button', { name: 'Remove b.png' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await dialog.getByLabel('Right').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await messages.last().getByText('Asked').waitFor();
    expect(got).toEqual([{ pictures: ['b.png 80'], side: 'right', colours: ['blue'], keep: true }]);
  });

  test.each(['en-US', 'de'])('axe finds nothing in a form with files, light or dark (%s)', async (locale) => {
    const { page, startCommand } = await openPage(open, locale, { locale });
    await startCommand('ask');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    await dialog.getByLabel('Pictures').setInputFiles(await png('a.png'));
    await dialog.locator('.chosen-file').waitFor();
    await dialog.locator('button[type=submit]').click();
    await dialog.locator('.field.invalid').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
    }
  });

  test('on a phone, ten files leave the button that sends them in reach', async () => {
    const { page, messages } = await openPage(open, 'en-US', { viewport: { width: 390, height: 700 } });
    const pictures = await Promise.all(Array.from({ length: 10 }, (_, n) => png(`picture-${n}.png`)));
    await page.locator('.attach input').setInputFiles(pictures);
    await page.getByRole('button', { name: 'Remove picture-9.png' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await messages.last().getByRole('button', { name: 'Open picture: picture-9.png' }).waitFor();
  });

  test('on a phone, a form with files is as large as a finger', async () => {
    const { page, startCommand, got, messages, screenshot } = await openPage(open, 'en-US', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await startCommand('ask');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    await dialog.getByLabel('Pictures').setInputFiles(await png('a.png'));
    await dialog.locator('.chosen-file').waitFor();
    await screenshot('form-with-files-phone');
    for (const control of await dialog.locator('.field-group label, .drop-zone, .chosen-file .tool').all()) {
      const { width = 0, height = 0 } = (await control.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    await dialog.getByText('Left').tap();
    await dialog.getByText('Blue').tap();
    await dialog.getByText('Keep the first').tap();
    await dialog.getByRole('button', { name: 'Submit' }).tap();
    await messages.last().getByText('Asked').waitFor();
    expect(got).toEqual([{ pictures: ['a.png 80'], side: 'left', colours: ['red', 'blue'], keep: true }]);
  });
});
