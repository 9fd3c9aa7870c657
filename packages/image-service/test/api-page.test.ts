import { createServer, request as httpRequest } from 'node:http';
import { OPERATIONS } from '@darkroom/image-api';
import { chromiumPath, freePort, launchChromium, listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type ServiceWorld, serviceWorld } from './support/service.ts';

test('the page lets nothing in from elsewhere, and nobody frame it', async () => {
  const world = await serviceWorld();
  const page = await world.call('/', { headers: {} });
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('cache-control')).toBe('no-store');
  // What stands in its files is everybody's, and asked for again before it is used.
  const script = await world.call('/static/swagger-ui-bundle.js', { headers: {} });
  expect([script.headers.get('cache-control'), script.headers.has('etag')]).toEqual([
    'public, max-age=0',
    true,
  ]);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(`${policy} ${await page.text()}`).not.toMatch(/https?:/);
  // A picture has a policy of its own.
  expect((await world.call('/openapi.json')).headers.has('content-security-policy')).toBe(false);
});

/** A proxy on `port` that passes on to the service what is below `/images/`, as that is without it. */
async function belowImages(world: ServiceWorld, port: number): Promise<void> {
  const proxy = createServer((request, response) => {
    const { url = '', method = '' } = request;
    if (!url.startsWith('/images/')) return void response.writeHead(404).end();
    const { host: _, ...headers } = request.headers;
    const passedOn = httpRequest(
      `${world.url}${url.slice('/images'.length)}`,
      { method, headers },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    request.pipe(passedOn);
  });
  await listen(proxy, port);
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
}

test('the description names servers only where callers reach it below a path: there, and without it', async () => {
  const serversAt = async (publicBaseUrl?: string) => {
    const world = await serviceWorld({ ...(publicBaseUrl !== undefined && { publicBaseUrl }) });
    const { servers, paths } = JSON.parse(await (await world.call('/openapi.json')).text());
    expect(Object.keys(paths)).toContain('/v1/user_balance');
    return servers;
  };
  expect(await serversAt()).toBeUndefined();
  expect(await serversAt('https://pictures.example')).toBeUndefined();
  expect(await serversAt('https://pictures.example/drawn/images')).toEqual([
    { url: '/drawn/images' },
    { url: '/' },
  ]);
  expect(await serversAt('https://pictures.example/v1')).toEqual([{ url: '/v1' }, { url: '/' }]);
});

interface Place {
  world: ServiceWorld;
  address: string;
  /** Which of the servers in the description has to be chosen, where that is not the first. */
  server?: string;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async 'at its own address'() {
    const world = await serviceWorld();
    return { world, address: world.url };
  },
  async 'below a path'() {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/images`;
    const world = await serviceWorld({ publicBaseUrl: address });
    await belowImages(world, port);
    return { world, address };
  },
  async 'at its own address, although callers reach it below a path,'() {
    const world = await serviceWorld({ publicBaseUrl: 'https://pictures.example/images' });
    return { world, address: world.url, server: '/' };
  },
};

test.skipIf(!chromiumPath).each(Object.entries(places))(
  'in a browser the page %s shows every operation, and tries them with a key as they stand',
  async (_, open) => {
    const { world, address, server } = await open();
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    const elsewhere: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${address}/`))
        elsewhere.push(request.url());
    });
    await page.goto(`${address}/`);

    const balance = page.locator('.opblock', { hasText: '/v1/user_balance' });
    await balance.waitFor();
    expect(await page.locator('.opblock').count()).toBe(Object.keys(OPERATIONS).length + 2);
    if (server !== undefined) await page.locator('.servers select').selectOption(server);
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
