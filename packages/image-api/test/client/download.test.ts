import type { LookupFunction } from 'node:net';
import { failureOf, watchHeap } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { ServiceErrorKind } from '../../src/service-error.ts';
import * as behave from '../support/behaviours.ts';
import type { Behaviour } from '../support/exchange.ts';
import { createHostileService } from '../support/hostile-service.ts';
import { createClientWorld } from '../support/image-client.ts';
import { A_PNG } from '../support/polite-service.ts';

const PATH = '/pictures/7.png';

test('a picture is taken byte for byte, for what it is, without a key', async () => {
  const { client, service } = await createClientWorld();
  service.script('picture', behave.bytes(A_PNG, 'application/octet-stream'));
  const picture = await client.download(`${service.baseUrl}${PATH}?size=full`);
  expect(picture).toEqual({ bytes: A_PNG, contentType: 'image/png' });
  const [request] = service.requests();
  expect(request?.url).toBe(`${PATH}?size=full`);
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
});

test.each([
  ['/pictures/7.png', '/pictures/7.png'],
  ['pictures/7.png', '/base/pictures/7.png'],
  ['../pictures/7.png', '/pictures/7.png'],
])('the relative address %s is relative to the service', async (address, url) => {
  const service = await createHostileService();
  const world = await createClientWorld({ baseUrl: `${service.baseUrl}/base` });
  await world.client.download(address);
  expect(service.requests()[0]?.url).toBe(url);
});

test.each([
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'ftp://images.example/7.png',
  'http://',
  'javascript:1',
])('%s is not an address to fetch from', async (address) => {
  const { client } = await createClientWorld();
  expect(await failureOf(client.download(address))).toMatchObject({ kind: 'blocked' });
});

test.each<[string, Behaviour, ServiceErrorKind]>([
  ['that is gone', behave.html(404), 'not-found'],
  ['that has expired', behave.html(410), 'not-found'],
  [
    'that is a long page about its absence',
    behave.bytes(Buffer.alloc(1024 ** 2), 'text/html', { status: 404 }),
    'not-found',
  ],
  ['of 70 MB', behave.bytes(Buffer.concat([A_PNG, Buffer.alloc(70 * 1024 ** 2)]), 'image/png'), 'blocked'],
  ['that may not be seen', behave.html(403), 'refused'],
  ['that is a page', behave.html(200), 'blocked'],
  ['that is a page and says it is a PNG', behave.bytes(Buffer.from('<html>'), 'image/png'), 'blocked'],
  ['that is empty', behave.bytes(Buffer.alloc(0), 'image/png'), 'blocked'],
  ['that has moved nowhere', behave.html(308), 'refused'],
  ['that wants credits', behave.html(402), 'refused'],
  ['that redirects to a file', behave.redirect('file:///etc/passwd'), 'blocked'],
  ['that redirects to itself', behave.redirect(PATH), 'blocked'],
  ['that is elsewhere on this machine', behave.redirect('http://127.0.0.1:9/7.png'), 'blocked'],
  ['behind a metadata service', behave.redirect('http://169.254.169.254/latest'), 'blocked'],
  ['behind a number that is an address', behave.redirect('http://2130706433:9/7.png'), 'blocked'],
  ['behind an address in another notation', behave.redirect('http://[::ffff:7f00:1]:9/7.png'), 'blocked'],
])('a picture %s is not fetched, and not tried again', async (_name, behaviour, kind) => {
  const { client, service, clock } = await createClientWorld();
  service.script('picture', behaviour);
  const failure = await failureOf(client.download(PATH));
  expect(failure).toMatchObject({ name: 'ServiceError', kind });
  expect(clock.sleeps).toEqual([]);
});

test('the largest picture that a service makes is taken, although it hardly compresses', async () => {
  const { client, service } = await createClientWorld();
  const raw = { width: 4_096, height: 4_096, channels: 4 } as const;
  const pixels = Buffer.alloc(raw.width * raw.height * raw.channels);
  const largest = await sharp(pixels, { raw }).png({ compressionLevel: 0 }).toBuffer();
  service.script('picture', behave.bytes(largest, 'image/png'));
  const { bytes } = await client.download(PATH);
  expect(bytes.equals(largest)).toBe(true);
});

test('redirects are followed five times and no more', async () => {
  const { client, service } = await createClientWorld();
  service.script('picture', ...behave.times(5, behave.redirect('/pictures/next.png')), service.politely);
  expect(await client.download(PATH)).toMatchObject({ contentType: 'image/png' });
  expect(service.requests()).toHaveLength(6);
  service.script('picture', behave.redirect('/pictures/next.png'));
  expect(String(await failureOf(client.download(PATH)))).toContain('redirected more than 5 times');
  expect(service.requests()).toHaveLength(12);
});

test('a picture that is too large is left as soon as that is known', async () => {
  const { client, service } = await createClientWorld();
  const large = Buffer.concat([A_PNG, Buffer.alloc(2 * 1024 ** 2)]);
  const told = behave.bytes(large, 'image/png', { headers: { 'content-length': large.length } });
  service.script('picture', told, behave.bytes(large, 'image/png'));
  for (const pictureBytes of [large.length, 65 * 1024 ** 2]) {
    const failure = await failureOf(client.download(PATH, { maxBytes: 1024 ** 2 }));
    expect(failure).toMatchObject({ kind: 'blocked', pictureBytes });
    expect(String(failure)).toContain('larger than 1048576 bytes');
  }
  expect(await client.download(PATH, { maxBytes: 3 * 1024 ** 2 })).toMatchObject({
    contentType: 'image/png',
  });
});

test('a picture whose bytes come one by one takes the memory of a picture', async () => {
  const { client, service } = await createClientWorld();
  const large = Buffer.concat([A_PNG, Buffer.alloc(2 * 1024 ** 2)]);
  const growth = watchHeap();
  let most = 0;
  service.script(
    'picture',
    behave.oneByOne(large, 'image/png', () => {
      most = Math.max(most, growth());
    }),
  );
  const { bytes } = await client.download(PATH);
  expect(bytes.equals(large)).toBe(true);
  expect(most).toBeLessThan(32 * 1024 ** 2);
});

test('a transfer that breaks is made again, after these waits', async () => {
  const { client, service, clock } = await createClientWorld();
  service.script(
    'picture',
    behave.halfBody(A_PNG, 'image/png'),
    behave.reset(),
    behave.html(500),
    behave.tooMany(3),
    service.politely,
  );
  expect(await client.download(PATH)).toMatchObject({ bytes: A_PNG });
  expect(clock.sleeps).toEqual([375, 750, 1_500, 4_000]);
});

test.each([behave.hang(), behave.drip()])(
  'a transfer that does not end is left in time',
  async (behaviour) => {
    const { client, service } = await createClientWorld();
    service.script('picture', behaviour);
    expect(await failureOf(client.download(PATH, { timeoutMs: 200 }))).toMatchObject({ kind: 'timeout' });
  },
);

test('an abort comes through as the caller’s own', async () => {
  const { client, service } = await createClientWorld();
  const stop = new AbortController();
  service.script('picture', () => stop.abort('enough'));
  expect(await failureOf(client.download(PATH, { signal: stop.signal }))).toBe('enough');
});

test('a name that leads to a private address is blocked at the connection, whatever it led to before', async () => {
  const stranger = await createHostileService();
  const { port } = new URL(stranger.baseUrl);
  const lookup = vi.fn<LookupFunction>((_host, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  const { client, service } = await createClientWorld({ lookup });
  service.script('picture', behave.redirect(`http://rebinding.example:${port}${PATH}`));
  const failure = await failureOf(client.download(PATH));
  expect(failure).toMatchObject({ kind: 'blocked' });
  expect(String(failure)).toContain('rebinding.example');
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(stranger.requests()).toEqual([]);
});

test('a name that does not resolve is out of reach, and is tried again', async () => {
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
  const { client, clock } = await createClientWorld({ lookup });
  expect(await failureOf(client.download('https://gone.example/7.png'))).toMatchObject({
    kind: 'unreachable',
  });
  expect(clock.sleeps.length).toBeGreaterThan(1);
});

test('the query of an address, which may let one in, is in no error', async () => {
  const { client, service } = await createClientWorld();
  service.script('picture', behave.html(404));
  const failure = await failureOf(client.download(`${PATH}?signature=opaque`));
  expect(String(failure)).toContain(`GET ${service.baseUrl}${PATH} answered 404`);
});
