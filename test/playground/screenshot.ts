import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, visit, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import type { Browser, Locator } from 'playwright-core';
import sharp from 'sharp';
import { DEMO_USERS, DEMO_WORLD, FIRST_CHANNEL, MEMBER, MODERATOR } from '../../src/playground/demo-world.ts';
import { fillUsage } from '../support/fill-usage.ts';
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

/** The panel of `/settings`, with a section of it open. */
async function screenshotSettings(browser: Browser): Promise<void> {
  const playground = await openPlayground();
  try {
    const { page, messages, switchUser, startCommand, close } = await visit(browser, playground.url, {
      viewport: { width: 900, height: 900 },
      deviceScaleFactor: 1.5,
    });
    await switchUser(MODERATOR.displayName);
    await startCommand('settings panel');
    await page.keyboard.press('Enter');
    const panel = messages.last();
    await panel.getByRole('combobox').first().selectOption({ value: 'access' });
    await pickInMenu(panel, 'Channels', '#darkroom', '#after-dark');
    await pickInMenu(panel, 'Roles', 'Moderators');
    await panel.locator('details', { hasText: 'Moderators' }).waitFor();
    await save('settings', await screenshotOf(panel));
    await close();
  } finally {
    await playground.close();
  }
}

/** What a server has used, as its moderator sees it. */
async function screenshotUsage(browser: Browser): Promise<void> {
  const playground = await openPlayground();
  try {
    await playground.stop();
    const [guild] = DEMO_WORLD.guilds ?? [];
    await fillUsage(
      playground.folder,
      guild?.id ?? '',
      DEMO_USERS.map(({ id }) => id),
    );
    await playground.restart();
    const { page, messages, switchUser, startCommand, close } = await visit(browser, playground.url, {
      viewport: { width: 900, height: 1_000 },
      deviceScaleFactor: 1.5,
    });
    await switchUser(MODERATOR.displayName);
    await startCommand('usage');
    await page.keyboard.press('Enter');
    const message = messages.last();
    await message.getByText('usage-').waitFor();
    await page.waitForFunction('document.querySelector(".messages .photo img").complete');
    await save('usage', await screenshotOf(message));
    await close();
  } finally {
    await playground.close();
  }
}

/** Picks several in a menu of the message, and closes it. */
async function pickInMenu(message: Locator, name: string, ...labels: string[]): Promise<void> {
  const menu = message.locator(`details[aria-label="${name}"]`);
  await menu.locator('summary').click();
  for (const label of labels) await menu.getByLabel(label, { exact: true }).check();
  await menu.getByRole('button', { name: 'Done' }).click();
  await menu.locator('.picked').first().waitFor();
}

const browser = await launchChromium();
try {
  await screenshotPage(browser);
  await screenshotStages(browser);
  await screenshotSettings(browser);
  await screenshotUsage(browser);
} finally {
  await browser.close();
}
