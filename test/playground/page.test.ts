import type { Visit } from '@darkroom/testing';
import { describeInChromium } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { openPlaygroundPage } from '../support/playground-page.ts';

describeInChromium('the chat page with the real bot', (open) => {
  async function imagine({ page, startCommand }: Pick<Visit, 'page' | 'startCommand'>, prompt: string) {
    await startCommand('imagine');
    await page.keyboard.type(prompt);
    await page.keyboard.press('Enter');
  }

  const picture = ({ page }: Pick<Visit, 'page'>) => page.locator('.messages button.photo img').last();

  test('/imagine by keyboard alone: the bar moves, and the picture arrives whole', async () => {
    const { page, screenshot, messages } = await openPlaygroundPage(open, { paceMs: 12_000 });
    expect(await page.locator('#composer-text').getAttribute('placeholder')).toBe(
      'Type /imagine and press Enter',
    );
    await page.keyboard.type('/imagine');
    await page.getByRole('option', { name: 'negative_prompt' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('a red fox in the snow');
    await screenshot('command');
    await page.keyboard.press('Enter');
    const reply = messages.last();
    let early: string | null = null;
    await expect
      .poll(async () => {
        early = await reply.textContent();
        return early;
      })
      .toMatch(/[1-9]\d? %/);
    await screenshot('developing');
    await expect.poll(() => reply.textContent()).not.toBe(early);
    await picture({ page }).waitFor();
    expect(await picture({ page }).getAttribute('alt')).toContain('a red fox in the snow');
    await expect
      .poll(() => page.evaluate('document.querySelector(".messages .photo img").naturalWidth'))
      .toBe(512);
    await screenshot('developed');
  });

  test('a picture opens large, can be saved under its name, and Escape closes it', async () => {
    const visitor = await openPlaygroundPage(open);
    await imagine(visitor, 'a lighthouse at dusk');
    await picture(visitor).waitFor();
    const { page, messages, screenshot } = visitor;
    await messages.last().getByRole('button', { name: 'Again' }).waitFor();
    await page.locator('button.photo').last().focus();
    await page.keyboard.press('Enter');
    const lightbox = page.getByRole('dialog', { name: 'Picture' });
    await lightbox.waitFor();
    await screenshot('lightbox');
    const saved = page.waitForEvent('download');
    await lightbox.getByRole('link', { name: 'Save picture' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^darkroom-\d+\.png$/);
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('photo');
  });

  test('Again draws another picture, and Delete takes one away', async () => {
    const visitor = await openPlaygroundPage(open);
    const { page, messages } = visitor;
    await imagine(visitor, 'a paper boat');
    await picture(visitor).waitFor();
    await page.getByRole('button', { name: 'Again' }).click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(2);
    await messages.last().getByRole('button', { name: 'More' }).click();
    await messages.last().getByRole('button', { name: 'Delete' }).click();
    await messages.last().getByText('Delete this for good?').waitFor();
    await messages.last().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(1);
  });

  test('a picture that develops is seen, and cancelled: nothing of it stays but what it cost', async () => {
    // Still under way when the slowest machine presses.
    const visitor = await openPlaygroundPage(open, { paceMs: 60_000, width: 360, hasTouch: true });
    const { page, messages, startCommand, screenshot } = visitor;
    await imagine(visitor, 'a red fox in the snow');
    const reply = messages.first();
    await reply.getByText(/[1-9]\d? %/).waitFor();
    await picture(visitor).waitFor();
    await screenshot('developing-phone');
    await reply.getByRole('button', { name: en.cancel.button }).tap();
    await messages.getByText(en.cancel.cancelled).waitFor();
    await expect.poll(() => page.getByText('a red fox in the snow').count()).toBe(0);
    expect(await page.locator('button.photo').count()).toBe(0);
    await startCommand('jobs');
    await page.keyboard.press('Enter');
    await messages.last().locator('discord-embed').waitFor();
    await expect.poll(() => messages.last().textContent()).toContain(en.cancel.cancelled);
    await screenshot('cancelled-phone');
  });

  test('a newcomer makes a key in the form from the login token, and what they asked for is drawn', async () => {
    const visitor = await openPlaygroundPage(open);
    const { page, switchUser, messages, screenshot } = visitor;
    await switchUser('Newcomer');
    await imagine(visitor, 'a kite');
    await messages.last().locator('.ephemeral-note').waitFor();
    await page.getByRole('button', { name: 'Copy login token' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^lt-/);
    await messages.last().getByRole('button', { name: 'Create a key' }).click();
    const form = page.getByRole('dialog', { name: 'Create a key' });
    await form.waitFor();
    await page.keyboard.press('Enter');
    await form.getByText('This is required.').first().waitFor();
    await screenshot('form');
    await page.keyboard.press('ControlOrMeta+V');
    await form.getByRole('textbox').press('Enter');
    await form.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Copy key', exact: true }).waitFor();
    await picture(visitor).waitFor();
  });

  test('an ephemeral answer is seen by its reader alone, and can be dismissed', async () => {
    const visitor = await openPlaygroundPage(open);
    const { page, switchUser, startCommand, messages, screenshot } = visitor;
    await startCommand('balance');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('500');
    await screenshot('ephemeral');
    await switchUser('Moderator');
    await expect.poll(() => messages.count()).toBe(0);
    await switchUser('Member');
    await messages.last().waitFor();
    await page.getByRole('button', { name: 'Dismiss message' }).click();
    await expect.poll(() => messages.count()).toBe(0);
  });

  test('after a restart the page comes back by itself, with the old pictures, working buttons and what was typed', async () => {
    const visitor = await openPlaygroundPage(open);
    const { page, playground } = visitor;
    await imagine(visitor, 'a bridge in fog');
    await picture(visitor).waitFor();
    await playground.stop();
    await page.getByText('Connection lost. Trying again…').waitFor();
    await page.getByText('Not connected: what you type stays here').waitFor();
    expect(await page.locator('button.photo').count()).toBe(1);
    await imagine(visitor, 'a ship');
    const unanswered = page.getByText('The local Discord does not answer.');
    await unanswered.waitFor();
    await playground.restart();
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'hidden' });
    await unanswered.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('button.photo').count()).toBe(2);
    await page.getByRole('button', { name: 'Again' }).first().click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(3);
  });

  test('a phone has room for everything: nothing is wider than it, and both sides slide in', async () => {
    const visitor = await openPlaygroundPage(open, { width: 390 });
    const { page, screenshot } = visitor;
    await imagine(visitor, 'a tram in the rain');
    await picture(visitor).waitFor();
    const hidden = (selector: string) =>
      page.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(() => hidden('html')).toBe(0);
    await expect.poll(() => hidden('.messages')).toBe(0);
    await screenshot('phone');
    await page.getByRole('button', { name: 'Servers and channels' }).click();
    await page.getByRole('button', { name: 'Field Trip' }).click();
    await page.getByRole('button', { name: 'birds' }).click();
    await page.getByRole('heading', { name: 'birds', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account and members' }).click();
    await page.getByRole('button', { name: 'Copy key', exact: true }).waitFor();
    await screenshot('phone-side');
  });

  test('arrow keys go through the users, and the focus stays with them', async () => {
    const { page } = await openPlaygroundPage(open);
    await page.getByRole('radio', { name: 'Member' }).focus();
    for (const name of ['Moderator', 'Newcomer']) {
      await page.keyboard.press('ArrowDown');
      await page.getByRole('radio', { name, checked: true }).waitFor();
    }
    await page.getByText('none yet').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('radio');
  });
});
