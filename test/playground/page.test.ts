import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, launchChromium, NEEDS_CHROMIUM } from '../support/chromium.ts';
import { openPage } from '../support/open-page.ts';
import type { Visit } from '../support/visit.ts';

describe.skipIf(!chromiumPath)(`the chat page with the real bot${NEEDS_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function imagine({ page, begin }: Pick<Visit, 'page' | 'begin'>, prompt: string) {
    await begin('imagine');
    await page.keyboard.type(prompt);
    await page.keyboard.press('Enter');
  }

  const picture = ({ page }: Pick<Visit, 'page'>) => page.locator('.messages button.photo img').last();

  test('/imagine by keyboard alone: the bar moves, and the picture arrives whole', async () => {
    const { page, keep, messages } = await openPage(browser, { paceMs: 12_000 });
    expect(await page.locator('#composer-text').getAttribute('placeholder')).toBe(
      'Type /imagine and press Enter',
    );
    await page.keyboard.type('/imagine');
    await page.getByRole('option', { name: 'negative_prompt' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('a red fox in the snow');
    await keep('command');
    await page.keyboard.press('Enter');
    const reply = messages.last();
    await expect.poll(() => reply.textContent()).toMatch(/[1-9]\d? %/);
    const early = await reply.textContent();
    await keep('developing');
    await expect.poll(() => reply.textContent()).not.toBe(early);
    await picture({ page }).waitFor();
    expect(await picture({ page }).getAttribute('alt')).toContain('a red fox in the snow');
    await expect
      .poll(() => page.evaluate('document.querySelector(".messages .photo img").naturalWidth'))
      .toBe(512);
    await keep('developed');
  });

  test('a picture opens large, can be saved under its name, and Escape closes it', async () => {
    const visitor = await openPage(browser);
    await imagine(visitor, 'a lighthouse at dusk');
    await picture(visitor).waitFor();
    const { page, keep } = visitor;
    await page.locator('button.photo').last().focus();
    await page.keyboard.press('Enter');
    const lightbox = page.getByRole('dialog', { name: 'Picture' });
    await lightbox.waitFor();
    await keep('lightbox');
    const saved = page.waitForEvent('download');
    await lightbox.getByRole('link', { name: 'Save picture' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^darkroom-\d+\.png$/);
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('photo');
  });

  test('Again draws another picture, and Delete takes one away', async () => {
    const visitor = await openPage(browser);
    const { page, messages } = visitor;
    await imagine(visitor, 'a paper boat');
    await picture(visitor).waitFor();
    await page.getByRole('button', { name: 'Again' }).click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(2);
    await messages.last().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(1);
  });

  test('the newcomer hears that a key is missing, makes one in the form from the login token, and draws', async () => {
    const visitor = await openPage(browser);
    const { page, become, begin, messages, keep } = visitor;
    await become('Newcomer');
    await imagine(visitor, 'a kite');
    await expect.poll(() => messages.last().textContent()).toContain('/apikey generate');
    expect(await messages.last().textContent()).toContain('Only you can see this');
    await page.getByRole('button', { name: 'Copy login token' }).click();
    await begin('apikey generate');
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Make a key' });
    await form.waitFor();
    await page.keyboard.press('Enter');
    await form.getByText('This field is required.').waitFor();
    await keep('form');
    await page.keyboard.press('ControlOrMeta+V');
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'hidden' });
    await expect.poll(() => messages.last().textContent()).toContain('is linked');
    await page.getByRole('button', { name: 'Copy key', exact: true }).waitFor();
    await imagine(visitor, 'a kite');
    await picture(visitor).waitFor();
  });

  test('an ephemeral answer is seen by its reader alone, and can be dismissed', async () => {
    const visitor = await openPage(browser);
    const { page, become, begin, messages, keep } = visitor;
    await begin('balance');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('500');
    await keep('ephemeral');
    await become('Moderator');
    await expect.poll(() => messages.count()).toBe(0);
    await become('Member');
    await messages.last().waitFor();
    await page.getByRole('button', { name: 'Dismiss message' }).click();
    await expect.poll(() => messages.count()).toBe(0);
  });

  test('after a restart the page comes back by itself, with the old pictures, working buttons and what was typed', async () => {
    const visitor = await openPage(browser);
    const { page, playground } = visitor;
    await imagine(visitor, 'a bridge in fog');
    await picture(visitor).waitFor();
    await playground.stop();
    await page.getByText('Connection lost. Trying again…').waitFor();
    await imagine(visitor, 'a ship');
    const unanswered = page.getByText('The playground does not answer.');
    await unanswered.waitFor();
    await playground.startAgain();
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'hidden' });
    await unanswered.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('button.photo').count()).toBe(2);
    await page.getByRole('button', { name: 'Again' }).first().click();
    await expect.poll(() => page.locator('button.photo').count()).toBe(3);
  });

  test('a phone has room for everything: nothing is wider than it, and both sides slide in', async () => {
    const visitor = await openPage(browser, { width: 390 });
    const { page, keep } = visitor;
    await imagine(visitor, 'a tram in the rain');
    await picture(visitor).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await keep('phone');
    await page.getByRole('button', { name: 'Servers and channels' }).click();
    await page.getByRole('button', { name: 'Field Trip' }).click();
    await page.getByRole('button', { name: 'birds' }).click();
    await page.getByRole('heading', { name: 'birds', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account and members' }).click();
    await page.getByRole('button', { name: 'Copy key', exact: true }).waitFor();
    await keep('phone-side');
  });

  test.each(['3431551894', '9007199254740991'])(
    'on a phone, the seed %s stands in one piece',
    async (seed) => {
      const visitor = await openPage(browser, { width: 375 });
      const { page, keep } = visitor;
      await imagine(visitor, `a windmill seed:${seed}`);
      await picture(visitor).waitFor();
      await keep(`seed-${seed.length}`);
      const pieces = `document.querySelector('discord-embed-field code').getClientRects().length`;
      expect(await page.locator('discord-embed-field code').textContent()).toBe(seed);
      expect(await page.evaluate(pieces)).toBe(1);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    },
  );

  test('arrow keys go through the people, and the focus stays with them', async () => {
    const { page } = await openPage(browser);
    await page.getByRole('radio', { name: 'Member' }).focus();
    for (const name of ['Moderator', 'Newcomer']) {
      await page.keyboard.press('ArrowDown');
      await page.getByRole('radio', { name, checked: true }).waitFor();
    }
    await page.getByText('none yet').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('radio');
  });
});
