import { describeInChromium } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { openPlaygroundPage } from '../support/playground-page.ts';

/** How much of an option's value is out of sight, in pixels. */
const CUT_OFF = `(() => {
  const value = document.querySelector('.option-field textarea');
  return value.scrollHeight - value.clientHeight;
})()`;

describeInChromium('the composer of the chat page', (open) => {
  test('a value outside its range is refused before anything is sent', async () => {
    const { page, startCommand, messages, screenshot } = await openPlaygroundPage(open);
    await startCommand('imagine');
    await page.keyboard.press('Enter');
    await page.getByText('This is required.').waitFor();
    await page.keyboard.type('a clock');
    await page.keyboard.press('Tab');
    await page.keyboard.type('steps');
    await page.keyboard.press('Enter');
    await page.keyboard.type('900');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Use 50 or less.').waitFor();
    await screenshot('refused');
    expect(await messages.count()).toBe(0);
  });

  test('choices and autocomplete are taken from their lists by arrow keys', async () => {
    const { page, startCommand, screenshot } = await openPlaygroundPage(open);
    await startCommand('imagine');
    await page.keyboard.type('a whale');
    await page.keyboard.press('Tab');
    await page.keyboard.type('work');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'anime' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('size');
    await page.keyboard.press('Enter');
    await page
      .getByRole('option', { name: /Portrait/ })
      .first()
      .waitFor();
    await screenshot('autocomplete');
    const suggested = page.waitForResponse((answer) => !!answer.request().postData()?.includes('1344'));
    await page.keyboard.type('1344');
    await suggested;
    await page.getByRole('option', { name: /1344/ }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('textbox', { name: /^size/ }).inputValue()).toContain('1344');
    const picked = await page.getByRole('textbox', { name: /^workflow/ }).inputValue();
    expect(picked).toBe(`anime · ${en.picture.usualPrice(1)}`);
  });

  test.each([
    ['typed', 'type'],
    ['pasted', 'insertText'],
  ] as const)('options that are named in a line that is %s are filled in', async (_, way) => {
    const { page, messages, screenshot } = await openPlaygroundPage(open);
    await page.keyboard.type('/');
    await page.getByRole('option', { name: '/imagine' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard[way]('/imagine prompt:a fox size:9x9 workflow:anime steps:4');
    const typedInto = (name: string) =>
      page.getByRole('textbox', { name: new RegExp(`^${name}:`) }).inputValue();
    await expect.poll(() => typedInto('steps')).toBe('4');
    expect([await typedInto('prompt'), await typedInto('size'), await typedInto('workflow')]).toEqual([
      'a fox',
      '9x9',
      'anime',
    ]);
    await screenshot(`named-${way}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('size can be');
  });

  test('an option that is named behind the last one opens with what follows', async () => {
    const { page, startCommand, messages } = await openPlaygroundPage(open);
    await startCommand('apikey server settings');
    await page.keyboard.insertText('member_pictures:5');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('Manage Server');
  });

  test('a long value is seen whole, and is one line however it was pasted', async () => {
    const { page, startCommand } = await openPlaygroundPage(open, { width: 390 });
    await startCommand('imagine');
    await page.keyboard.insertText(`a castle\nin the evening, ${'with a tower and '.repeat(8)}a moat`);
    const prompt = page.getByRole('textbox', { name: /^prompt/ });
    expect(await prompt.inputValue()).toMatch(/^a castle in the evening, .* a moat$/);
    await expect.poll(() => page.evaluate(CUT_OFF)).toBe(0);
  });
});
