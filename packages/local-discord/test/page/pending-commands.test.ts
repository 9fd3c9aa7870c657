import { createDeferred, describeInChromium } from '@darkroom/testing';
import type { ChatInputCommandInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { pingWorld } from '../support/ping-world.ts';

/** Notes each change of how many commands are shown, and keeps the server's events back while a test wants it. */
const WATCHED = `
  window.shown = [];
  new MutationObserver(() => {
    const count = document.querySelectorAll('discord-message .used').length;
    if (count !== (window.shown.at(-1) ?? 0)) window.shown.push(count);
  }).observe(document, { childList: true, subtree: true });
  window.EventSource = class extends EventSource {
    set onmessage(listener) {
      super.onmessage = (event) => (window.held ? window.held.push(() => listener(event)) : listener(event));
    }
  };
`;

describeInChromium('a command that was sent', (open) => {
  async function openPage(onPing: (interaction: ChatInputCommandInteraction) => Promise<unknown>) {
    const world = await pingWorld({ page: true });
    await world.serve(async (interaction) => {
      if (interaction.isChatInputCommand()) await onPing(interaction);
    });
    const opened = await open(world.address.url);
    await opened.page.addInitScript(WATCHED);
    await opened.page.reload();
    // What is held from here on is an answer, and not what the page begins with.
    await opened.page.locator('#composer-text').waitFor();
    const ping = async () => {
      await opened.startCommand('ping');
      await opened.page.keyboard.press('Enter');
    };
    const shown = () => opened.page.evaluate('window.shown');
    return { ...opened, ping, shown, sending: opened.page.getByText('Sending command') };
  }

  test('stands until its answer does, where that comes before the end of its request', async () => {
    const { page, messages, ping, shown, sending } = await openPage((interaction) =>
      interaction.reply('Pong'),
    );
    const released = createDeferred<void>();
    await page.route(/\/actions$/, async (route) => {
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    await ping();
    await messages.getByText('Pong').waitFor();
    await sending.waitFor({ state: 'detached' });
    released.resolve();
    expect(await shown()).toEqual([1]);
  });

  test('stands until its answer does, where that comes after the end of its request', async () => {
    const { page, messages, ping, shown } = await openPage((interaction) => interaction.reply('Pong'));
    await page.evaluate('window.held = []');
    const answered = page.waitForResponse(/\/actions$/);
    await ping();
    await (await answered).finished();
    await page.evaluate('for (const release of window.held.splice(0)) release(); window.held = null');
    await messages.getByText('Pong').waitFor();
    expect(await shown()).toEqual([1]);
  });

  test('is not taken for another one of the same name', async () => {
    const second = createDeferred<void>();
    let count = 0;
    const { messages, ping, shown, sending } = await openPage(async (interaction) => {
      count += 1;
      if (count === 1) await second.promise;
      await interaction.reply('Pong');
    });
    await ping();
    await sending.waitFor();
    await ping();
    await messages.getByText('Pong').waitFor();
    await expect.poll(() => sending.count()).toBe(1);
    second.resolve();
    await expect.poll(() => messages.getByText('Pong').count()).toBe(2);
    await sending.waitFor({ state: 'detached' });
    expect(await shown()).toEqual([1, 2]);
  });
});
