import { describeInChromium, type OpenPage } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createFakeComfy, FAKE_MODELS } from '../../packages/image-service/test/support/fake-comfyui.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openPlaygroundPage } from '../support/playground-page.ts';

const { actions, source } = en;

/** As `FAKE_MODELS`, with one that edits in words. */
const models = {
  ...FAKE_MODELS,
  diffusion_models: [...FAKE_MODELS.diffusion_models, 'qwen_image_edit_2509.safetensors'],
  text_encoders: [...FAKE_MODELS.text_encoders, 'qwen_2.5_vl_7b.safetensors'],
  vae: [...FAKE_MODELS.vae, 'qwen_image_vae.safetensors'],
};
const QWEN = { engine: 'comfyui', model: 'qwen_image_edit', steps: 4, cfg: 1 };

/** The page of a playground whose pictures a ComfyUI draws, which edits in words and removes backgrounds. */
async function openWithComfy(open: OpenPage, options: { width?: number; hasTouch?: boolean } = {}) {
  const comfy = await createFakeComfy({ models });
  const env = { COMFYUI_URL: comfy.url, SERVICE_WORKFLOWS: JSON.stringify({ qwen: QWEN }) };
  const visitor = await openPlaygroundPage(open, { ...options, env });
  /** The last graph that it was sent. */
  const drawn = () => Object.values(comfy.submitted.at(-1)?.graph ?? {});
  return { ...visitor, drawn, photos: visitor.page.locator('.messages button.photo img') };
}

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

  test('a background is removed by touch, and the picture says so', async () => {
    const visitor = await openWithComfy(open, { width: 390, hasTouch: true });
    const { page, messages, startCommand, screenshot, photos, drawn } = visitor;
    await startCommand('imagine');
    await page.keyboard.type('a red fox under northern lights');
    await page.keyboard.press('Enter');
    await messages.first().getByRole('button', { name: actions.more }).tap();
    await messages.last().getByRole('button', { name: source.removeBackground }).tap();
    await expect.poll(() => photos.count()).toBe(2);
    await messages.last().getByText(source.done.remove_background).waitFor();
    expect(drawn().map(({ class_type }) => class_type)).toContain('RemoveBackground');
    await screenshot('without-background-phone');
  });

  test('a picture is changed in words by keyboard', async () => {
    const { page, messages, startCommand, screenshot, photos, drawn } = await openWithComfy(open);
    await startCommand('imagine');
    await page.keyboard.type('a red fox under northern lights');
    await page.keyboard.press('Enter');
    await messages.last().getByRole('button', { name: actions.edit }).press('Enter');
    const form = page.getByRole('dialog', { name: en.editForm.edit });
    await form.getByLabel(source.form.change).focus();
    await page.keyboard.type('make it winter');
    await form.getByLabel(en.picture.workflow).selectOption('qwen');
    await screenshot('change-in-words');
    await form.getByRole('button', { name: 'Submit' }).press('Enter');
    await expect.poll(() => photos.count()).toBe(2);
    await messages.last().getByText(`· ${source.done.edit} · qwen`).waitFor();
    const words = drawn().flatMap(({ class_type, inputs }) =>
      class_type === 'TextEncodeQwenImageEditPlus' ? [inputs.prompt] : [],
    );
    expect(words).toContain('make it winter');
  });
});
