import { OPERATIONS } from '@darkroom/image-api';
import { chromiumPath, launchChromium } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { serviceWorld } from './support/service.ts';

test('the page lets nothing in from elsewhere, and nobody frame it', async () => {
  const world = await serviceWorld();
  const page = await world.call('/', { headers: {} });
  expect(page.headers.get('content-type')).toContain('text/html');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(`${policy} ${await page.text()}`).not.toMatch(/https?:/);
  // A picture has a policy of its own.
  expect((await world.call('/openapi.json')).headers.has('content-security-policy')).toBe(false);
});

test.skipIf(!chromiumPath)(
  'in a browser the page shows every operation, and tries them with a key as they stand',
  async () => {
    const world = await serviceWorld();
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    const elsewhere: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(world.url))
        elsewhere.push(request.url());
    });
    await page.goto(`${world.url}/`);

    const balance = page.locator('.opblock', { hasText: '/v1/user_balance' });
    await balance.waitFor();
    expect(await page.locator('.opblock').count()).toBe(Object.keys(OPERATIONS).length + 2);
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.auth-container', { hasText: 'x-api-key' });
    await dialog.locator('input').fill(world.key);
    await dialog.locator('button[type=submit]').click();
    await page.locator('.btn-done').first().click();
    await balance.locator('.opblock-summary-control').click();
    await balance.locator('.try-out__btn').click();
    await balance.locator('.execute').click();
    await balance.locator('.live-responses-table', { hasText: world.username }).waitFor();

    const submit = page.locator('.opblock', { hasText: '/v1/image_generation' });
    await submit.locator('.opblock-summary-control').click();
    await submit.locator('.try-out__btn').click();
    await submit.locator('.execute').click();
    await submit.locator('.live-responses-table', { hasText: '"queued"' }).waitFor();

    expect(errors).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
);
