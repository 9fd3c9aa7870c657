import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { networkOf } from '../src/http/connections.ts';
import type { ServiceLimits } from '../src/limits.ts';
import { noiseEngine } from './support/engines.ts';
import { type ServiceWorld, serviceWorld } from './support/service.ts';

/** A service with a picture of 12 MB, more than a connection takes that nobody reads. */
async function pictureWorld(limits: Partial<ServiceLimits>) {
  const world = await serviceWorld({ engine: noiseEngine(), limits });
  const task = await world.until(await world.submitted({ prompt: 'a fox', width: 2048, height: 2048 }));
  const url = new URL(task.status === 'completed' ? task.result.image_url : '');
  const pictures = join(world.folder, 'pictures');

  return {
    picture: await readFile(join(pictures, basename(url.pathname))),
    connect(): Socket {
      const socket = connect(Number(url.port), url.hostname).on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return socket;
    },
    request: `GET ${url.pathname} HTTP/1.1\r\nHost: service\r\n\r\n`,
    /** How many files of the folder of pictures are open in this process. */
    async openFiles(): Promise<number> {
      const handles = await readdir('/proc/self/fd');
      const names = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return names.filter((name) => name.startsWith(pictures)).length;
    },
  };
}

test.skipIf(process.platform !== 'linux')(
  'a client that asks for many pictures and reads none holds one file open, and not for long',
  async () => {
    const { connect, request, openFiles } = await pictureWorld({ idleConnectionMs: 1_000 });
    const socket = connect();
    socket.write(request.repeat(8));
    let most = 0;
    await until(async () => {
      const open = await openFiles();
      most = Math.max(most, open);
      return most > 0 && open === 0;
    }, 'a file that is open and then closed');
    expect(most).toBe(1);
  },
);

test('a client that reads slowly but steadily gets its picture whole', async () => {
  const idleConnectionMs = 5_000;
  const { connect, request, picture } = await pictureWorld({ idleConnectionMs });
  const socket = connect();
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const parts: Buffer[] = [];
  let read = 0;
  let rested = 0;
  for await (const part of socket) {
    parts.push(part);
    read += part.length;
    if (read < (rested + 1) * 1_000_000) continue;
    rested += 1;
    await delay(500);
  }
  expect(rested * 500).toBeGreaterThan(idleConnectionMs);
  expect(Buffer.concat(parts).subarray(-picture.length).equals(picture)).toBe(true);
});

test('what is no HTTP ends the answer that is being sent, and puts nothing into it', async () => {
  const { connect, request, picture } = await pictureWorld({});
  const socket = connect();
  socket.write(request);
  await once(socket, 'readable');
  socket.write('this is not http\r\n\r\n');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await once(socket, 'close');
  const sent = Buffer.concat(parts);
  expect(sent.subarray(0, 15).toString()).toBe('HTTP/1.1 200 OK');
  expect(picture.includes(sent.subarray(sent.indexOf('\r\n\r\n') + 4))).toBe(true);
});

/** What a new connection gets: an answer, or its end. */
async function ask(
  { url }: ServiceWorld,
  { opened = [], from = '127.0.0.1' }: { opened?: Socket[]; from?: string } = {},
): Promise<string> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from }).on('error', () => {});
  opened.push(socket);
  onTestFinished(() => void socket.destroy());
  socket.write('GET /nothing HTTP/1.1\r\nHost: service\r\n\r\n');
  const answered = once(socket, 'data').then(() => 'answered');
  return await Promise.race([answered, once(socket, 'close').then(() => 'closed')]);
}

test('a service takes no more connections than it may', async () => {
  const world = await serviceWorld({ limits: { connections: 2 } });
  expect([await ask(world), await ask(world), await ask(world)]).toEqual(['answered', 'answered', 'closed']);
});

test('one address has no more connections than it may, and again as many once they are closed', async () => {
  const world = await serviceWorld({ limits: { connectionsOfAddress: 1 } });
  const opened: Socket[] = [];
  expect([await ask(world, { opened }), await ask(world)]).toEqual(['answered', 'closed']);
  for (const socket of opened) socket.destroy();
  await until(async () => (await ask(world)) === 'answered', 'room for another connection');
});

test.skipIf(process.platform !== 'linux')(
  'a few addresses that hold all connections keep nobody else out (needs the addresses of Linux)',
  async () => {
    const world = await serviceWorld({ limits: { connections: 4, connectionsOfAddress: 3 } });
    const opened: Socket[] = [];
    const from = (last: number) => ask(world, { opened, from: `127.0.0.${last}` });
    expect([await from(2), await from(2), await from(3), await from(3)]).toEqual(Array(4).fill('answered'));
    expect([await ask(world), await from(2), await from(3)]).toEqual(['answered', 'closed', 'closed']);
    await until(async () => opened[1]?.destroyed === true, 'the end of the newest of those that hold most');
    expect([0, 2, 3].map((nth) => opened[nth]?.destroyed)).toEqual([false, false, false]);
  },
);

test('behind a proxy, whose address all callers have, connections are not counted by address', async () => {
  const world = await serviceWorld({ limits: { connectionsOfAddress: 1 }, trustProxy: 1 });
  expect([await ask(world), await ask(world)]).toEqual(['answered', 'answered']);
});

test('clients that send half a head and then byte after byte keep nobody out for long', async () => {
  const world = await serviceWorld({ limits: { connections: 4, headersMs: 500 } });
  for (let count = 0; count < 4; count++) {
    const { port } = new URL(world.url);
    // It does not end its own half when the service ends the other.
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }).on(
      'error',
      () => {},
    );
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    const sending = setInterval(() => socket.write('a'), 100);
    socket.resume().once('close', () => clearInterval(sending));
    onTestFinished(() => void socket.destroy());
  }
  expect(await ask(world)).toBe('closed');
  await until(async () => (await ask(world)) === 'answered', 'room for another connection');
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));
