import { describeInChromium } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { openPlaygroundPage } from '../support/playground-page.ts';

const { actions, source } = en;

describeInChromium('pictures that begin with pictures, on the page', (open) => {
  const sideOf = (size: 'Width' | 'Height') =>
    `[...document.querySelectorAll('.messages .photo img')].at(-1)?.natural${size}`;

  test('a sketch is doubled and widened by touch', async () => {
    const visitor = await openPlaygroundPage(open, { width: 390, hasTouch: true });
    const { page, messages, startCommand, screenshot } = visitor;
    const photos = page.locator('.messages button.photo img');
    await startCommand('imagine');
    await page.keyboard.type('a red fox under northern lights');
    await page.keyboard.press('Enter');
    await photos.first().waitFor();
    await messages
      .last()
      .getByRole('button', { name: source.upscale(2) })
      .tap();
    await expect.poll(() => photos.count()).toBe(2);
    await expect.poll(() => page.evaluate(sideOf('Width'))).toBe(1_024);
    await screenshot('doubled-phone');
    await messages.first().getByRole('button', { name: actions.more }).tap();
    await messages.last().getByText(actions.details).first().waitFor();
    await screenshot('more-phone');
    await messages.last().getByRole('combobox').selectOption({ label: source.sides.left });
    await expect.poll(() => photos.count()).toBe(3);
    await expect.poll(() => page.evaluate(sideOf('Width'))).toBe(768);
    await screenshot('widened-phone');
  });

  test('a photograph of one’s own is enlarged by keyboard, from the menu of its message', async () => {
    const visitor = await openPlaygroundPage(open);
    const { page, messages, screenshot } = visitor;
    const photograph = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#335577' } })
      .png()
      .toBuffer();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: photograph });
    await page.getByRole('button', { name: 'Remove cat.png' }).waitFor();
    await page.locator('#composer-text').focus();
    await page.keyboard.press('Enter');
    await page.locator('.messages button.photo img').first().waitFor();
    await screenshot('photograph');
    await messages.last().getByRole('button', { name: 'Apps for this message' }).press('Enter');
    const menu = page.getByRole('menu', { name: 'Apps' });
    await menu.getByRole('menuitem', { name: actions.menu.use }).press('Enter');
    const twice = messages.last().getByRole('button', { name: source.upscale(2) });
    await twice.waitFor();
    await screenshot('use-as-picture');
    await twice.press('Enter');
    await expect.poll(() => page.locator('.messages button.photo img').count()).toBe(2);
    await expect.poll(() => page.evaluate(sideOf('Width'))).toBe(240);
    await screenshot('photograph-doubled');
  });
});
