import { createServer } from 'node:http';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { fetchAttachedFile } from '../../src/delivery/attached-files.ts';
import { FileGoneError } from '../../src/jobs/input.ts';

const { signal } = new AbortController();
const PICTURE = 'a picture';

/** A Discord that keeps one file, and answers others with their path as a status. */
async function discord() {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/cat.png') response.end(PICTURE);
    else response.writeHead(Number(url.slice(1)), { location: '/cat.png' }).end();
  });
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${await listen(server)}`;
  const get = (url: string, size = PICTURE.length) =>
    fetchAttachedFile({ name: 'cat.png', url, size }, signal, `${address}/api`);
  return { address, asked, get };
}

test('a file of Discord comes as it was announced, and no other', async () => {
  const { address, get } = await discord();
  expect(Buffer.from(await get(`${address}/cat.png`)).toString()).toBe(PICTURE);
  for (const size of [PICTURE.length - 1, PICTURE.length + 1])
    await expect(get(`${address}/cat.png`, size)).rejects.toThrow(FileGoneError);
});

test('what is somewhere else is not asked for', async () => {
  const { address, asked, get } = await discord();
  const elsewhere = address.replace('127.0.0.1', 'localhost');
  await expect(get(`${elsewhere}/cat.png`)).rejects.toThrow(FileGoneError);
  await expect(get('http://169.254.169.254/latest/meta-data')).rejects.toThrow(FileGoneError);
  expect(asked).toEqual([]);
});

test('what has gone is told from what may come back, and no redirect is followed', async () => {
  const { address, asked, get } = await discord();
  for (const status of [403, 404]) await expect(get(`${address}/${status}`)).rejects.toThrow(FileGoneError);
  for (const status of [302, 429, 503])
    await expect(get(`${address}/${status}`)).rejects.not.toThrow(FileGoneError);
  expect(asked).not.toContain('/cat.png');
});
