import { describeInChromium } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { openPlaygroundPage } from '../support/playground-page.ts';

describeInChromium('the panel of /settings on the chat page', (open) => {
  test('menus show what is decided, of several at once as well, and send it when they close', async () => {
    const { page, messages, switchUser, startCommand, screenshot } = await openPlaygroundPage(open);
    await switchUser('Moderator');
    await startCommand('settings panel');
    await page.keyboard.press('Enter');
    const panel = messages.last();
    await panel.getByRole('combobox').first().selectOption({ value: 'access' });
    const channels = panel.locator('details[aria-label="Channels"]');
    await channels.locator('summary').click();
    await channels.getByLabel('#darkroom', { exact: true }).check();
    await channels.getByLabel('#lounge', { exact: true }).check();
    await page.keyboard.press('Escape');
    await expect.poll(() => channels.locator('.picked').allTextContents()).toEqual(['#darkroom', '#lounge']);
    await screenshot('settings-access');

    await channels.locator('summary').click();
    await channels.getByLabel('#lounge', { exact: true }).uncheck();
    await channels.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => channels.locator('.picked').allTextContents()).toEqual(['#darkroom']);

    await panel.getByRole('combobox').first().selectOption({ value: 'pictures' });
    const size = panel.getByRole('combobox', { name: 'Default size' });
    await size.selectOption({ value: '768x512' });
    await expect.poll(() => panel.textContent()).toContain('Default size: 768x512');
    await expect.poll(() => size.inputValue()).toBe('768x512');
    await screenshot('settings-pictures');
  });
});
