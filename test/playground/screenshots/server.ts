import type { Browser, Locator } from 'playwright-core';
import { DEMO_USERS, DEMO_WORLD, MODERATOR } from '../../../src/playground/demo-world.ts';
import { fillUsage } from '../../support/fill-usage.ts';
import { picturesLoaded, type Scene, save, scene, screenshotOf } from './camera.ts';

/** The panel of `/settings`, with a section of it open. */
export const settings = (browser: Browser): Promise<void> =>
  scene(browser, {}, async ({ page, messages, switchUser, startCommand }) => {
    await switchUser(MODERATOR.displayName);
    await startCommand('settings panel');
    await page.keyboard.press('Enter');
    const panel = messages.last();
    await panel.getByRole('combobox').first().selectOption({ value: 'access' });
    await pickInMenu(panel, 'Channels', '#darkroom', '#after-dark');
    await pickInMenu(panel, 'Roles', 'Moderators');
    await panel.locator('details[aria-label="Roles"]', { hasText: 'Moderators' }).waitFor();
    await save('settings', await screenshotOf(panel));
  });

/** What a server has used, as its moderator sees it. */
export const usage = (browser: Browser): Promise<void> =>
  scene(browser, { prepare: useIt }, async (opened) => {
    const { page, messages, switchUser, startCommand } = opened;
    await switchUser(MODERATOR.displayName);
    await startCommand('usage');
    await page.keyboard.press('Enter');
    const message = messages.last();
    await message.getByText('usage-').waitFor();
    await picturesLoaded(opened);
    await save('usage', await screenshotOf(message));
  });

async function useIt(playground: Scene['playground']): Promise<void> {
  await playground.stop();
  const [guild] = DEMO_WORLD.guilds ?? [];
  await fillUsage(
    playground.folder,
    guild?.id ?? '',
    DEMO_USERS.map(({ id }) => id),
  );
  await playground.restart();
}

/** Picks several in a menu of the message, and closes it. */
async function pickInMenu(message: Locator, name: string, ...labels: string[]): Promise<void> {
  const menu = message.locator(`details[aria-label="${name}"]`);
  await menu.locator('summary').click();
  for (const label of labels) await menu.getByLabel(label, { exact: true }).check();
  await menu.getByRole('button', { name: 'Done' }).click();
  await menu.locator('.picked').first().waitFor();
}
