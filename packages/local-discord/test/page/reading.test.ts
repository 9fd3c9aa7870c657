import { describeInChromium } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { CHANNEL, GUILD, MEMBER, MODERATOR, OTHER_CHANNEL, OUTSIDER } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

/** How much of the messages is below what is seen, in pixels. */
const BELOW = `(() => {
  const list = document.querySelector('.messages');
  return list.scrollHeight - list.scrollTop - list.clientHeight;
})()`;

describeInChromium('reading on the chat page', (open) => {
  async function openPage() {
    const { discord, address } = await openLocalDiscord({ page: true });
    return { discord, ...(await open(address.url)) };
  }

  test('what is written as one user is read as another', async () => {
    const { page, switchUser, composer, messages } = await openPage();
    await composer.fill('**Hello** everybody');
    await page.keyboard.press('Enter');
    await switchUser('Moderator');
    await expect.poll(() => messages.last().locator('strong').textContent()).toBe('Hello');
  });

  test('a long channel opens at its end, whoever is looking', async () => {
    const { page, discord, switchUser, messages } = await openPage();
    for (const turn of Array(15).keys()) {
      await discord.as(turn % 2 ? MEMBER : MODERATOR).say(CHANNEL, `**${turn}**\nand a second line`);
    }
    await expect.poll(() => messages.count()).toBe(15);
    for (const name of Array(6).fill(['Moderator', 'Member']).flat()) {
      await switchUser(name);
      await expect.poll(() => messages.count()).toBe(15);
      await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(5);
    }
  });

  test('a link to a message leads there, inside the page', async () => {
    const { page, discord, messages, screenshot } = await openPage();
    const member = discord.as(MEMBER);
    const { id } = await member.say(CHANNEL, 'Far above');
    for (const turn of Array(15).keys()) await member.say(CHANNEL, `${turn}\n\n\nbelow`);
    await discord
      .as(OUTSIDER)
      .say(OTHER_CHANNEL, `There: https://discord.com/channels/${GUILD}/${CHANNEL}/${id}`);
    await page.getByRole('button', { name: 'Second, unread messages' }).click();
    await page.getByRole('button', { name: 'elsewhere' }).click();
    const link = messages.last().getByRole('button', { name: 'general message' });
    await link.waitFor();
    await screenshot('message-link');
    await link.click();
    await expect.poll(() => messages.count()).toBe(16);
    await expect.poll(() => page.evaluate(BELOW)).toBeGreaterThan(200);
    await expect.poll(async () => (await page.getByText('Far above').boundingBox())?.y).toBeGreaterThan(70);
    await screenshot('message-found');
    await member.say(CHANNEL, 'Far below');
    await expect.poll(() => messages.count()).toBe(17);
    expect(await page.evaluate(BELOW)).toBeGreaterThan(200);
    const newest = page.getByRole('button', { name: 'To the newest message' });
    await newest.click();
    await newest.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(5);
  });

  test('after a reload the channel that was open is open again', async () => {
    const { page } = await openPage();
    const open = (name: string) => page.locator('.channel[aria-current]', { hasText: name });
    await page.locator('.channel', { hasText: 'second' }).click();
    await open('second').waitFor();
    await page.reload();
    await page.locator('.channel[aria-current]').waitFor();
    expect(await open('second').count()).toBe(1);
  });
});
