import type { Browser } from 'playwright-core';
import { FIRST_CHANNEL, MEMBER } from '../../../src/playground/demo-world.ts';
import { drawn, picturesLoaded, save, scene, screenshotOf } from './camera.ts';

const MADE = [
  { prompt: 'a lighthouse in a storm, oil painting', seed: 3 },
  { prompt: 'a cat on a rooftop at night', seed: 11, workflow: 'anime' },
  { prompt: 'a red fox in the snow, northern lights', size: '3:2', seed: 7 },
];

/** What a member has made, and what develops. */
export const jobs = (browser: Browser): Promise<void> =>
  scene(browser, { paceMs: 12_000, prepare: drawn(...MADE) }, async (opened) => {
    const { playground, page, messages, startCommand } = opened;
    const member = playground.discord().as(MEMBER.id);
    await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a sailing ship at sunset', seed: 5 });
    await messages
      .last()
      .getByText(/[3-6]\d %/)
      .waitFor();
    await startCommand('jobs');
    await page.keyboard.press('Enter');
    const message = messages.last();
    await message.locator('.ephemeral-note').waitFor();
    await message
      .locator('discord-embed img')
      .nth(MADE.length - 1)
      .waitFor();
    await picturesLoaded(opened);
    await save('jobs', await screenshotOf(message));
  });
