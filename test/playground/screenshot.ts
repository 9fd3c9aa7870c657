import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { FIRST_CHANNEL, MEMBER, MODERATOR } from '../../src/playground/neighbourhood.ts';
import { launchChromium } from '../support/chromium.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openPlayground } from '../support/playground.ts';
import { visit } from '../support/visit.ts';

const FILE = join('docs', 'playground.png');

/** Takes the README's picture of the chat page: one picture developed, one developing. */
async function takeScreenshot(): Promise<void> {
  const playground = await openPlayground({ paceMs: 9_000 });
  const browser = await launchChromium();
  try {
    const member = playground.discord().as(MEMBER.id);
    const moderator = playground.discord().as(MODERATOR.id);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await moderator.invoke(FIRST_CHANNEL, 'imagine', {
      prompt: 'a red fox in the snow, northern lights',
      size: '768x440',
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
    await sharp(await page.screenshot())
      .png({ palette: true, quality: 95, effort: 10 })
      .toFile(FILE);
    await close();
    process.stdout.write(`Wrote ${FILE} (${Math.ceil((await stat(FILE)).size / 1_024)} KiB)\n`);
  } finally {
    await browser.close();
    await playground.close();
  }
}

await takeScreenshot();
