import { axeProblems, describeInChromium, type Visit } from '@darkroom/testing';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPlaygroundPage } from '../support/playground-page.ts';

/**
 * Names and sizes of what can be touched and is smaller than a finger; links and mentions stand in lines of words.
 */
const TOO_SMALL = `[...document.querySelectorAll('button, input, select, summary, a, [role=option], [role=menuitem]')]
  .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((control) => !control.matches('.link, .mention, .jump, .replied, .spoiler, .file-input, .command-more'))
  .map((control) => control.closest('label') ?? control)
  .map((control) => ({ control, box: control.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && box.right > 0 && box.left < innerWidth)
  .filter(({ box }) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
  .map(({ control, box }) => control.className + ' ' + control.textContent.trim() + ' ' + box.width + 'x' + box.height)`;

describeInChromium('the chat page for everybody', (open) => {
  /** Looks at what is shown now in both themes. */
  async function check({ page, screenshot }: Visit, screen: string): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await axeProblems(page)).map((problem) => `${screen}, ${colorScheme}: ${problem}`));
      await screenshot(`screen-${screen}-${colorScheme}`);
    }
    return found;
  }

  async function run({ page, startCommand }: Visit, command: string, typed = ''): Promise<void> {
    await startCommand(command);
    if (typed) await page.keyboard.insertText(typed);
    await page.keyboard.press('Enter');
  }

  test.each(['en-US', 'de'])('axe finds nothing on any screen, light or dark (%s)', async (locale) => {
    const visitor = await openPlaygroundPage(open, { locale });
    const { page, messages, switchUser } = visitor;
    const problems = await check(visitor, 'empty');
    await run(visitor, 'imagine', 'a red fox in the snow');
    await page.locator('.messages button.photo').waitFor();
    await run(visitor, 'balance');
    await page.locator('.ephemeral-note').waitFor();
    problems.push(...(await check(visitor, 'channel')));
    await page.keyboard.type('/');
    await page.getByRole('option', { name: '/imagine' }).waitFor();
    problems.push(...(await check(visitor, 'suggestions')));
    await page.keyboard.type('imagine');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('a fox steps:900');
    await page.keyboard.press('Enter');
    await page.locator('.composer-problem').waitFor();
    problems.push(...(await check(visitor, 'composer')));
    await page.keyboard.press('Escape');
    await page.locator('.composer-hint .link').waitFor();
    problems.push(...(await check(visitor, 'cancelled')));
    await page.locator('.messages button.photo').click();
    await page.locator('dialog.lightbox[open]').waitFor();
    problems.push(...(await check(visitor, 'lightbox')));
    await page.keyboard.press('Escape');
    await switchUser('Moderator');
    await run(visitor, 'settings panel');
    await messages.last().getByRole('combobox').first().waitFor();
    problems.push(...(await check(visitor, 'settings')));
    await run(visitor, 'apikey link');
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.field.invalid').first().waitFor();
    await page.getByRole('dialog').locator('summary').click();
    problems.push(...(await check(visitor, 'form')));
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    problems.push(...(await check(visitor, 'phone')));
    await page.locator('.chat-head .only-narrow').click();
    problems.push(...(await check(visitor, 'phone-channels')));
    expect(problems).toEqual([]);
  });

  test.each(['en-US', 'de'])(
    'on a phone, whatever is touched is as large as a finger (%s)',
    async (locale) => {
      const visitor = await openPlaygroundPage(open, { width: 360, hasTouch: true, locale });
      const { page, screenshot } = visitor;
      const problems: unknown[] = [];
      const measure = async (screen: string) => {
        const found: unknown[] = await page.evaluate(TOO_SMALL);
        problems.push(...found.map((one) => `${screen}: ${one}`));
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          problems.push(`${screen}: wider than the phone`);
        await screenshot(`touch-${screen}`);
      };
      await measure('empty');
      await run(visitor, 'imagine', 'a red fox in the snow');
      await page.locator('.messages button.photo').waitFor();
      await measure('channel');
      await page.keyboard.type('/');
      await page.getByRole('option', { name: '/imagine' }).waitFor();
      await measure('suggestions');
      await page.keyboard.type('apikey link');
      await page.keyboard.press('Enter');
      await measure('composer');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await measure('form');
      await page.keyboard.press('Escape');
      await page.locator('.messages button.photo').tap();
      await page.locator('dialog.lightbox[open]').waitFor();
      await measure('lightbox');
      await page.keyboard.press('Escape');
      await page.locator('.chat-head .only-narrow').tap();
      await measure('channels');
      await page.locator('.backdrop').tap({ position: { x: 345, y: 400 } });
      await page.locator('.chat-head .only-medium').tap();
      await measure('side');
      expect(problems).toEqual([]);
    },
  );

  /** A browser on a laptop of 1366 x 768 pixels, and one of 1280 x 1024, as in WCAG 1.4.10. */
  test.each([
    { zoom: 200, width: 683, height: 325 },
    { zoom: 400, width: 320, height: 256 },
  ])('at a zoom of $zoom %, whatever can be used can be scrolled to', async ({ zoom, width, height }) => {
    const { page, startCommand, screenshot } = await openPlaygroundPage(open, { width, height });
    /** By the wheel alone, as what is cut off can be scrolled to by a script. */
    const expectReached = async (control: Locator, at: { x: number; y: number }) => {
      await page.mouse.move(at.x, at.y);
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 300);
          const box = await control.boundingBox();
          return box && box.y + box.height;
        })
        .toBeLessThanOrEqual(height);
      await control.click({ trial: true });
    };
    await startCommand('imagine');
    await page.keyboard.insertText('a red fox in the snow under northern lights '.repeat(8));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.evaluate('scrollTo(0, 0)');
    await screenshot(`zoom-${zoom}-top`);
    await expectReached(page.getByRole('button', { name: 'Send' }), { x: width / 2, y: height / 2 });
    await screenshot(`zoom-${zoom}-end`);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Servers and channels' }).click();
    await screenshot(`zoom-${zoom}-channels`);
    expect(await page.locator('.channels nav').evaluate((list) => list.clientHeight)).toBeGreaterThan(100);
    await expectReached(page.getByLabel('Theme'), { x: 200, y: height - 40 });
    await screenshot(`zoom-${zoom}-theme`);
  });
});
