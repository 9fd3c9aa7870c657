import { axeProblems, createDeferred, describeInChromium, type Visit } from '@darkroom/testing';
import { ChannelType } from 'discord.js';
import { expect, test } from 'vitest';
import type { WorldChannel } from '../../src/world.ts';
import { CHANNEL, GUILD, MEMBER, MODERATOR, SECOND_CHANNEL, smallWorld } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const id = (n: number) => `51000000000000000${n}`;
const channels: WorldChannel[] = [
  { id: id(1), name: 'Workshop', type: ChannelType.GuildCategory },
  { id: id(2), name: 'ideas', type: ChannelType.GuildForum, parentId: id(1) },
  { id: id(3), name: 'a blue door', type: ChannelType.PublicThread, parentId: id(2) },
  { id: id(4), name: 'talk', type: ChannelType.GuildVoice, parentId: id(1) },
  { id: id(5), name: 'lobby' },
  { id: id(6), name: 'asides', type: ChannelType.PublicThread, parentId: id(5) },
];

describeInChromium('the members of a server', (open) => {
  test('stand below the highest of their roles, and higher roles above', async () => {
    const [first, ...others] = smallWorld.guilds ?? [];
    if (!first) throw new Error('the small world has no server');
    const roles = ['helper', 'keeper'].map((name, n) => ({ id: id(n), name, permissions: 0n, color: n + 1 }));
    const members = [
      { userId: MEMBER, roles: [id(0)] },
      { userId: MODERATOR, roles: [id(1), id(0)] },
    ];
    const world = await openLocalDiscord({
      page: true,
      world: { ...smallWorld, guilds: [{ ...first, roles, members }, ...others] },
    });
    const { page } = await open(world.address.url);
    const list = page.getByRole('region', { name: 'Members' });
    await list.waitFor();
    expect(await list.locator('h2').allTextContents()).toEqual(['keeper — 1', 'helper — 1', 'Online — 1']);
  });
});

describeInChromium('the channels of a server', (open) => {
  test('stand below their category, forum or channel; a category and a forum are no place to write in', async () => {
    const [first, ...others] = smallWorld.guilds ?? [];
    if (!first) throw new Error('the small world has no server');
    const world = await openLocalDiscord({
      page: true,
      world: { ...smallWorld, guilds: [{ ...first, channels: [...channels] }, ...others] },
    });
    const { page, screenshot } = await open(world.address.url);
    const list = page.getByRole('complementary', { name: 'Channels' });
    await page.getByRole('heading', { level: 1, name: 'lobby' }).waitFor();
    expect(await list.locator('nav h2').allTextContents()).toEqual(['Text channels', 'Workshop']);
    expect(
      await list
        .getByRole('button')
        .filter({ hasText: /lobby|asides|ideas|talk|door|Workshop/ })
        .count(),
    ).toBe(4);
    await list.getByText('ideas').waitFor();
    await screenshot('channels');
    expect(await axeProblems(page)).toEqual([]);
    for (const [name, kind] of [
      ['asides', 'Thread'],
      ['a blue door', 'Thread'],
      ['talk', 'Voice channel'],
    ] as const) {
      await list.getByRole('button', { name: `${name} ${kind}` }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    world.discord.world.addChannel(GUILD, { name: 'late' });
    await list.getByRole('button', { name: 'late' }).click();
    await page.getByRole('heading', { level: 1, name: 'late' }).waitFor();
  });

  const LONG = 'a name that is longer than the list of channels is wide, and than a phone';
  /** By how much something is wider than its place. */
  const overflow = (part: Visit['composer']) =>
    part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

  test('a long name is cut short, in the list and above the messages', async () => {
    const { discord, address } = await openLocalDiscord({ page: true });
    discord.world.addChannel(GUILD, { name: LONG, parentId: CHANNEL });
    const { page } = await open(address.url);
    await page.locator('.channel', { hasText: LONG }).click();
    expect(await overflow(page.locator('.channels nav'))).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('heading', { level: 1, name: LONG }).waitFor();
    expect(await overflow(page.locator('.chat-head'))).toBe(0);
  });

  test('where the open channel is deleted, the first one opens', async () => {
    const { discord, address } = await openLocalDiscord({ page: true });
    const { page } = await open(address.url);
    await page.locator('.channel', { hasText: 'second' }).click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    discord.world.deleteChannel(SECOND_CHANNEL);
    await page.getByRole('heading', { level: 1, name: 'general' }).waitFor();
  });

  test('what called in a channel that is gone calls no more', async () => {
    const { discord, address } = await openLocalDiscord({ page: true });
    const { page } = await open(address.url);
    await discord.as(MODERATOR).say(SECOND_CHANNEL, `<@${MEMBER}>`);
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    discord.world.deleteChannel(SECOND_CHANNEL);
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
  });

  test('what is written stays in its channel, and so does why it could not be sent', async () => {
    const { address } = await openLocalDiscord({ page: true });
    const { page, composer, switchUser } = await open(address.url);
    await page.route(/actions$/, (route) => route.abort(), { times: 1 });
    await composer.fill('hello');
    await page.keyboard.press('Enter');
    const refused = page.getByText('The local Discord does not answer.');
    await refused.waitFor();
    await page.locator('.channel', { hasText: 'second' }).click();
    await refused.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('');
    await composer.fill('for the second');
    await page.locator('.channel', { hasText: 'general' }).click();
    await refused.waitFor();
    expect(await composer.inputValue()).toBe('hello');
    await switchUser('Moderator');
    await refused.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('');
  });

  test('a message that fails after another channel was opened comes back where it was written', async () => {
    const { address } = await openLocalDiscord({ page: true });
    const { page, composer, messages } = await open(address.url);
    const end = createDeferred<void>();
    await page.route(
      /actions$/,
      async (route) => {
        await end.promise;
        await route.abort();
      },
      { times: 1 },
    );
    const failed = page.waitForEvent('requestfailed');
    await composer.fill('hello');
    await page.keyboard.press('Enter');
    await composer.fill('typed since');
    await page.locator('.channel', { hasText: 'second' }).click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    end.resolve();
    await failed;
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await composer.inputValue()).toBe('');
    await page.locator('.channel', { hasText: 'general' }).click();
    await page.getByText('The local Discord does not answer.').waitFor();
    expect(await composer.inputValue()).toBe('hello\ntyped since');
    await composer.press('Enter');
    await messages.getByText('hello').waitFor();
    await page.locator('.channel', { hasText: 'second' }).click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    expect(await composer.inputValue()).toBe('');
  });
});
