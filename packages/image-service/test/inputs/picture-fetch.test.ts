import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/api-error.ts';
import { createPictureFetch } from '../../src/inputs/picture-fetch.ts';
import { nameServer } from '../support/name-server.ts';

const ASKED = { parameter: 'image' };

/** A server of pictures, which is fetched from though it is on this machine; and how often it was asked. */
async function gallery(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const pictures = createPictureFetch({ trustedOrigins: [origin] });
  onTestFinished(async () => {
    await pictures.close();
    server.close();
    server.closeAllConnections();
  });
  return {
    fetch: (options: { signal?: AbortSignal; leftMs?: number } = {}) =>
      pictures.fetch(`${origin}/fox.png`, { ...ASKED, ...options }),
  };
}

const messageOf = (fetching: Promise<unknown>): Promise<string> =>
  fetching.then(
    () => 'fetched',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test('the bytes at an address are fetched', async () => {
  const { fetch } = await gallery((response) => response.end('fox'));
  expect(String(await fetch())).toBe('fox');
});

test.each([
  [
    'a redirect',
    (response: ServerResponse) => response.writeHead(302, { location: '/other' }).end(),
    /redirects/,
  ],
  [
    'a page that is not there',
    (response: ServerResponse) => response.writeHead(404).end('no'),
    /answered 404/,
  ],
  ['a connection that breaks', (response: ServerResponse) => response.destroy(), /connection failed/],
  [
    'a body that is said to be too large',
    (response: ServerResponse) => response.writeHead(200, { 'content-length': '20000000' }).flushHeaders(),
    /10 MiB/,
  ],
  [
    'a body that is too large',
    (response: ServerResponse) => void response.end(Buffer.alloc(11_000_000)),
    /10 MiB/,
  ],
  ['silence', () => undefined, /with those before it, .+ within 30 s/],
  ['a body that never ends', (response: ServerResponse) => void response.write('.'), /within 30 s/],
])('%s is no picture', async (_, answer, words) => {
  const { fetch } = await gallery(answer);
  expect(await messageOf(fetch(words.source.includes('within') ? { leftMs: 300 } : {}))).toMatch(words);
});

test('a fetch ends where somebody else has its room', async () => {
  const ending = new AbortController();
  const { fetch } = await gallery(() => ending.abort(new ApiError('rate_limited', 'Try again.')));
  expect(await messageOf(fetch({ signal: ending.signal }))).toBe('Try again.');
});

test.each(['127.0.0.1', '10.0.0.8', '169.254.169.254'])(
  'a name that stands for %s is not connected to',
  async (address) => {
    const pictures = createPictureFetch({ nameServers: [await nameServer(address)] });
    onTestFinished(pictures.close);
    expect(await messageOf(pictures.fetch('https://pictures.test/fox.png', ASKED))).toMatch(
      /on this machine or in a private network/,
    );
  },
);
