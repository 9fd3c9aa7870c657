import { describeInChromium } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { graphFile, POSTER } from '../support/graph-file.ts';
import { openPlaygroundPage } from '../support/playground-page.ts';

const { name, bytes } = graphFile(POSTER);
const FILE = { name, mimeType: 'application/json', buffer: Buffer.from(bytes) };

describeInChromium('a node graph on the chat page', (open) => {
  test('a file is attached, listed with its price, and made', async () => {
    const { page, messages, startCommand, screenshot } = await openPlaygroundPage(open);
    await startCommand('imagine');
    await page.keyboard.type('a red fox');
    await page.getByLabel(/more options?$/).focus();
    await page.getByRole('option', { name: /^graph ComfyUI/ }).click();
    await page.locator('.command .file-input').setInputFiles(FILE);
    await screenshot('graph-attached');
    await page.getByLabel(/more options?$/).press('Enter');
    const question = messages.last();
    await question.getByText('7 nodes').waitFor();
    await question.getByText(/Price: .* credit/).waitFor();
    await screenshot('graph-listed');
    await question.getByRole('button', { name: 'Make' }).click();
    await page.locator('.messages button.photo img').last().waitFor();
    await expect.poll(() => messages.last().textContent()).toContain('Graph poster');
    await screenshot('graph-made');
  });
});
