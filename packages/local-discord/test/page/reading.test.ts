import { createDeferred, describeInChromium, type Visit } from '@darkroom/testing';
import { expect, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OUTSIDER,
  SECOND_CHANNEL,
} from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

/** How much of the messages is below what is seen, in pixels. */
const BELOW = `(() => {
  const list = document.querySelector('.messages');
  return list.scrollHeight - list.scrollTop - list.clientHeight;
})()`;

/** Lets a test end the stream of events as a broken network does. */
const LOSABLE = `
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      window.loseConnection = () => this.onerror();
    }
  };
`;

/** The page's request for the newest messages of a channel. */
const newestOf = (channelId: string) => new RegExp(`channels/${channelId}\\?openedAt=[^&]+$`);

describeInChromium('reading on the chat page', (open) => {
  async function openPage() {
    const { discord, address, register } = await openLocalDiscord({ page: true });
    return { discord, register, ...(await open(address.url)) };
  }

  /** Sixty messages, of which the page shows the newest fifty. */
  async function openLongPage() {
    const opened = await openPage();
    const member = opened.discord.as(MEMBER);
    const said = [];
    for (const turn of Array(60).keys()) said.push(await member.say(CHANNEL, `turn ${turn}`));
    await opened.page.addInitScript(LOSABLE);
    await opened.page.reload();
    await expect.poll(() => opened.messages.count()).toBe(50);
    const scrollUp = () => opened.page.evaluate("document.querySelector('.messages').scrollTo(0, 0)");
    return { ...opened, member, said, scrollUp };
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

  test('a channel of exactly as many messages as are loaded at once begins with them', async () => {
    const { page, member, said, messages } = await openLongPage();
    const welcome = page.getByText('Welcome to #general!');
    expect(await welcome.count()).toBe(0);
    for (const { id } of said.slice(0, 10)) member.deleteMessage(id);
    await page.reload();
    await welcome.waitFor();
    expect(await messages.count()).toBe(50);
  });

  test('a tab that is open for long keeps the newest messages, and has the others loaded again', async () => {
    const { member, messages, scrollUp } = await openLongPage();
    for (const turn of Array(160).keys()) await member.say(CHANNEL, `later ${turn}`);
    await messages.getByText('later 159').waitFor();
    await expect.poll(() => messages.count()).toBeLessThanOrEqual(200);
    const kept = await messages.count();
    await scrollUp();
    await expect.poll(() => messages.count()).toBe(kept + 50);
  });

  test('a window that is higher than what was loaded is filled with older messages', async () => {
    const { page, messages } = await openLongPage();
    await page.setViewportSize({ width: 1280, height: 4_000 });
    await page.reload();
    await page.getByText('Welcome to #general!').waitFor();
    expect(await messages.count()).toBe(60);
  });

  test('what is read stays where it is while older messages come above it', async () => {
    const { page, messages, scrollUp } = await openLongPage();
    const read = messages.filter({ hasText: 'turn 12' });
    const older = await hold({ page }, /before=/);
    await scrollUp();
    await older.asked;
    await page.evaluate("document.querySelector('.messages').scrollTo(0, 20)");
    const before = await read.boundingBox();
    older.release();
    await expect.poll(() => messages.count()).toBe(60);
    await expect.poll(async () => (await read.boundingBox())?.y).toBe(before?.y);
  });

  test('a change of a message far above leaves no gap before it', async () => {
    const { member, said, messages, scrollUp } = await openLongPage();
    await member.edit(said[0]?.id ?? '', 'changed');
    await member.say(CHANNEL, 'the last word');
    await messages.getByText('the last word').waitFor();
    expect(await messages.count()).toBe(51);
    await scrollUp();
    await expect.poll(() => messages.count()).toBe(61);
    expect(await messages.nth(1).textContent()).toContain('turn 1');
  });

  test('what was scrolled back to stays when commands change', async () => {
    const { register, messages, scrollUp, startCommand } = await openLongPage();
    await scrollUp();
    await expect.poll(() => messages.count()).toBe(60);
    await register({ name: 'late', description: 'Comes late.' });
    await startCommand('late');
    expect(await messages.count()).toBe(60);
  });

  test('what could not be loaded of an earlier time is loaded at the next try', async () => {
    const { page, messages, scrollUp } = await openLongPage();
    const failed = page.waitForEvent('requestfailed');
    await page.route(/before=/, (route) => route.abort(), { times: 1 });
    await scrollUp();
    await failed;
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.evaluate("document.querySelector('.messages').scrollTop")).toBe(300);
    await scrollUp();
    await expect.poll(() => messages.count()).toBe(60);
  });

  /** Holds the next answer to a request that matches; `asked` resolves when there is one to hold. */
  async function hold({ page }: Pick<Visit, 'page'>, url: RegExp) {
    const [asked, released] = [createDeferred<void>(), createDeferred<void>()];
    await page.route(
      url,
      async (route) => {
        const response = await route.fetch();
        asked.resolve();
        await released.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    return { asked: asked.promise, release: () => released.resolve() };
  }

  test('what is changed or deleted while older messages are loaded is so afterwards', async () => {
    const { page, member, said, messages, scrollUp } = await openLongPage();
    const older = await hold({ page }, /before=/);
    await scrollUp();
    await older.asked;
    await member.edit(said[3]?.id ?? '', 'changed');
    member.deleteMessage(said[4]?.id ?? '');
    await member.say(CHANNEL, 'the last word');
    await messages.getByText('the last word').waitFor();
    expect(await page.getByText('Welcome to #general!').count()).toBe(0);
    older.release();
    await messages.getByText('changed').waitFor();
    expect(await messages.count()).toBe(60);
  });

  test('older messages and an earlier answer that come after a lost connection change nothing', async () => {
    const { page, member, said, messages, scrollUp } = await openLongPage();
    let isLost = false;
    await page.route(/\/events/, (route) => (isLost ? route.abort() : route.continue()));
    const lose = async () => {
      isLost = true;
      await page.evaluate('window.loseConnection()');
      await page.getByText('Connection lost. Trying again…').waitFor();
    };
    const older = await hold({ page }, /before=/);
    await scrollUp();
    await older.asked;
    await lose();
    for (const { id } of said.slice(50)) member.deleteMessage(id);
    const earlier = await hold({ page }, newestOf(CHANNEL));
    isLost = false;
    await earlier.asked;
    await lose();
    await member.say(CHANNEL, 'the last word');
    isLost = false;
    await messages.getByText('the last word').waitFor();
    older.release();
    earlier.release();
    await scrollUp();
    await messages.getByText('turn 0').waitFor();
    expect(await messages.count()).toBe(51);
  });

  test('a message that comes while its channel is loaded is there afterwards', async () => {
    const { page, discord, messages } = await openPage();
    const answer = await hold({ page }, newestOf(SECOND_CHANNEL));
    await page.locator('.channel', { hasText: 'second' }).click();
    await answer.asked;
    await discord.as(MODERATOR).say(SECOND_CHANNEL, 'in between');
    await messages.getByText('in between').waitFor();
    answer.release();
    await page.getByText('Welcome to #second!').waitFor();
    expect(await messages.getByText('in between').count()).toBe(1);
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
