import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, visit, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import type { Browser, Locator } from 'playwright-core';
import sharp from 'sharp';
import { FIRST_CHANNEL, MEMBER, MODERATOR } from '../../src/playground/demo-world.ts';
import { openPlayground } from '../support/playground.ts';

const PADDING_PX = 10;

async function save(name: string, png: Buffer): Promise<void> {
  const file = join('docs', `${name}.png`);
  await sharp(png).png({ palette: true, quality: 95, effort: 10 }).toFile(file);
  process.stdout.write(`Wrote ${file} (${Math.ceil((await stat(file)).size / 1_024)} KiB)\n`);
}

/** The whole page: one picture developed, one developing. */
async function screenshotPage(browser: Browser): Promise<void> {
  const playground = await openPlayground({ paceMs: 9_000 });
  try {
    const member = playground.discord().as(MEMBER.id);
    const moderator = playground.discord().as(MODERATOR.id);
    const signal = AbortSignal.timeout(WAIT_TIMEOUT_MS);
    await moderator.invoke(FIRST_CHANNEL, 'imagine', {
      prompt: 'a red fox in the snow, northern lights',
      size: '768x400',
      seed: 7,
    });
    await member.waitForMessage(({ attachments }) => attachments.length > 0, { signal });
    const { page, close } = await visit(browser, playground.url);
    await member.invoke(FIRST_CHANNEL, 'imagine', {
      prompt: 'a lighthouse in a storm, oil painting',
      seed: 3,
    });
    await member.waitForMessage(({ content }) => /[4-7]\d %/.test(content), { signal });
    await page.getByText(/[4-7]\d %/).waitFor();
    await save('playground', await page.screenshot());
    await close();
  } finally {
    await playground.close();
  }
}

/** An element with some of the page around it. */
async function screenshotOf(element: Locator): Promise<Buffer> {
  const box = await element.boundingBox();
  if (!box) throw new Error('the element is not visible');
  const clip = { ...box, y: box.y - PADDING_PX, height: box.height + 2 * PADDING_PX };
  return element.page().screenshot({ clip });
}

/** One message: its picture at the beginning, half developed, and developed. */
async function screenshotStages(browser: Browser): Promise<void> {
  const playground = await openPlayground({ paceMs: 15_000 });
  try {
    const { page, messages, startCommand, close } = await visit(browser, playground.url, {
      viewport: { width: 620, height: 800 },
      deviceScaleFactor: 1.5,
    });
    await startCommand('imagine');
    await page.keyboard.insertText('a sailing ship on the sea at sunset size:768x432 seed:5');
    await page.keyboard.press('Enter');
    const message = messages.last();
    for (const [index, progress] of [/\b[1-3]\d %/, /\b[5-9]\d %/].entries()) {
      await message.getByText(progress).waitFor();
      await save(`developing-${index + 1}`, await screenshotOf(message));
    }
    await message.getByRole('button', { name: 'Again' }).waitFor();
    await page.waitForFunction('document.querySelector(".messages .photo img").complete');
    await save('developing-3', await screenshotOf(message));
    await close();
  } finally {
    await playground.close();
  }
}

const browser = await launchChromium();
try {
  await screenshotPage(browser);
  await screenshotStages(browser);
} finally {
  await browser.close();
}
