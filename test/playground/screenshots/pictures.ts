import type { Browser, Locator } from 'playwright-core';
import { FIRST_CHANNEL, MEMBER } from '../../../src/playground/demo-world.ts';
import { drawn, picturesLoaded, type Scene, save, scene, screenshotOf } from './camera.ts';
import { hills } from './photograph.ts';

const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 480, height: 900 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const FOX = { prompt: 'a red fox in the snow, northern lights', size: '3:2', seed: 7 };
/** Drawn before, so that the service knows how long it takes. */
const SHIP = { prompt: 'a sailing ship on the sea at sunset', size: '768x512', seed: 4 };

async function imagine({ startCommand, page }: Scene, typed: string): Promise<void> {
  await startCommand('imagine');
  await page.keyboard.insertText(typed);
  await page.keyboard.press('Enter');
}

/** The whole page: a picture that is finished, and one that develops. */
export const playground = (browser: Browser): Promise<void> =>
  scene(browser, { paceMs: 9_000, prepare: drawn(FOX), page: { viewport: WIDE } }, async (opened) => {
    const { page } = opened;
    await imagine(opened, 'a lighthouse in a storm, oil painting size:768x432 seed:3');
    await page.getByText(/[4-7]\d %/).waitFor();
    await picturesLoaded(opened);
    await save('playground', await page.screenshot());
  });

/** One message: its picture at the beginning, half developed, and developed. */
export const developing = (browser: Browser): Promise<void> =>
  scene(browser, { paceMs: 15_000, prepare: drawn(SHIP), page: { viewport: NARROW } }, async (opened) => {
    await imagine(opened, `${SHIP.prompt} size:${SHIP.size} seed:5`);
    const message = opened.messages.last();
    for (const [index, progress] of [/\b[23]\d %/, /\b[6-8]\d %/].entries()) {
      await message.getByText(progress).waitFor();
      await picturesLoaded(opened);
      await save(`developing-${index + 1}`, await screenshotOf(message));
    }
    await message.getByRole('button', { name: 'Again' }).waitFor();
    await picturesLoaded(opened);
    await save('developing-3', await screenshotOf(message));
  });

/** Four pictures with their buttons, and the form that changes them. */
export const grid = (browser: Browser): Promise<void> =>
  scene(browser, {}, async (opened) => {
    const { page, messages } = opened;
    await imagine(opened, 'a castle on a hill, mountains --n 4 --seed 21');
    await messages.last().getByRole('button', { name: 'Make' }).click();
    await page.mouse.move(0, 0);
    const message = messages.filter({ hasText: 'Choose a picture' });
    await message.waitFor();
    await picturesLoaded(opened);
    await save('grid', await screenshotOf(message));
    await message.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit' });
    await form.waitFor();
    await save('edit', await form.screenshot());
  });

/** Of the message once it has its picture and its buttons. */
async function saveMade(name: string, message: Locator, opened: Scene): Promise<void> {
  await message.getByRole('button', { name: 'More' }).waitFor();
  await picturesLoaded(opened);
  await opened.page.mouse.move(0, 0);
  await save(name, await screenshotOf(message));
}

/** What is made of a picture: twice as large, more around it, and others like it. */
export const changed = (browser: Browser): Promise<void> =>
  scene(browser, { prepare: drawn(FOX) }, async (opened) => {
    const { messages } = opened;
    const first = messages.first();
    await first.getByRole('button', { name: 'Upscale 2×' }).click();
    await saveMade('doubled', messages.filter({ hasText: '· upscaled 2× ·' }), opened);
    await first.getByRole('button', { name: 'More' }).click();
    await messages.last().getByRole('combobox').selectOption({ label: 'All around' });
    await saveMade('expanded', messages.filter({ hasText: '· expanded ·' }), opened);
    await first.getByRole('button', { name: 'Vary' }).click();
    await saveMade('varied', messages.filter({ hasText: 'Choose a picture' }), opened);
  });

/** A photograph of one's own, from the menu of its message: what can be made of it, and what came of it. */
export const own = (browser: Browser): Promise<void> =>
  scene(browser, { page: { viewport: NARROW } }, async (opened) => {
    const { playground, page, messages } = opened;
    await playground
      .discord()
      .as(MEMBER.id)
      .say(FIRST_CHANNEL, 'from the hill, this morning', [await hills()]);
    await messages.last().getByRole('button', { name: 'Apps for this message' }).click();
    await page.getByRole('menuitem', { name: 'Use as picture' }).click();
    const offer = messages.filter({ hasText: 'What should I make of' });
    await offer.waitFor();
    await picturesLoaded(opened);
    await page.mouse.move(0, 0);
    await save('own', await screenshotOf(messages.first(), offer));
    await offer.getByRole('button', { name: 'Upscale 2×' }).click();
    await saveMade('own-doubled', messages.filter({ hasText: '· upscaled 2× ·' }), opened);
  });

/** A picture on a phone. */
export const phone = (browser: Browser): Promise<void> =>
  scene(browser, { prepare: drawn(FOX), page: PHONE }, async (opened) => {
    await opened.messages.getByRole('button', { name: 'Again' }).waitFor();
    await picturesLoaded(opened);
    await save('phone', await opened.page.screenshot());
  });

/** What was typed wrong, and how it is meant to be. */
export const refusal = (browser: Browser): Promise<void> =>
  scene(browser, {}, async ({ playground, messages }) => {
    const member = playground.discord().as(MEMBER.id);
    await member.invoke(FIRST_CHANNEL, 'imagine', {
      prompt: 'a red fox in the snow, northern lights',
      size: 'potrait',
    });
    const message = messages.last();
    await message.getByRole('button', { name: 'Edit' }).waitFor();
    await save('refusal', await screenshotOf(message));
  });
