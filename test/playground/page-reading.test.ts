import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_CHANNEL, MEMBER, MODERATOR } from '../../src/playground/neighbourhood.ts';
import { chromiumPath, launchChromium, NEEDS_CHROMIUM } from '../support/chromium.ts';
import { openPage } from '../support/open-page.ts';

/** How much of the messages is below what is seen, in pixels. */
const BELOW = `(() => {
  const list = document.querySelector('.messages');
  return list.scrollHeight - list.scrollTop - list.clientHeight;
})()`;

describe.skipIf(!chromiumPath)(`reading on the chat page${NEEDS_CHROMIUM}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test('what is written in one person’s name is read in another’s', async () => {
    const { page, become, composer, messages } = await openPage(browser);
    await composer.fill('**Hello** everybody');
    await page.keyboard.press('Enter');
    await become('Moderator');
    await expect.poll(() => messages.last().locator('strong').textContent()).toBe('Hello');
  });

  test('a long channel opens at its end, whoever is looking', async () => {
    const { page, playground, become, messages } = await openPage(browser);
    const { discord } = playground;
    for (const turn of Array(15).keys()) {
      const { id } = turn % 2 ? MEMBER : MODERATOR;
      await discord().as(id).say(FIRST_CHANNEL, `**${turn}**\nand a second line`);
    }
    await expect.poll(() => messages.count()).toBe(15);
    for (const person of Array(6)
      .fill(['Moderator', 'Member'] as const)
      .flat()) {
      await become(person);
      await expect.poll(() => messages.count()).toBe(15);
      await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(5);
    }
  });

  test('a link to a message leads there, inside the page', async () => {
    const { page, playground, messages, keep } = await openPage(browser);
    const member = playground.discord().as(MEMBER.id);
    const { id } = await member.say(FIRST_CHANNEL, 'Far above');
    for (const turn of Array(15).keys()) await member.say(FIRST_CHANNEL, `${turn}\n\n\nbelow`);
    const [studio, fieldTrip] = member.guilds();
    const birds = fieldTrip?.channels.find(({ name }) => name === 'birds')?.id ?? '';
    await member.say(birds, `There: https://discord.com/channels/${studio?.id}/${FIRST_CHANNEL}/${id}`);
    await page.getByRole('button', { name: 'Field Trip' }).click();
    await page.getByRole('button', { name: 'birds' }).click();
    const link = messages.last().getByRole('button', { name: 'darkroom message' });
    await link.waitFor();
    await keep('message-link');
    await link.click();
    await expect.poll(() => messages.count()).toBe(16);
    await expect.poll(() => page.evaluate(BELOW)).toBeGreaterThan(200);
    await expect.poll(async () => (await page.getByText('Far above').boundingBox())?.y).toBeGreaterThan(70);
    await keep('message-found');
  });
});
