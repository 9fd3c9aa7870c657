import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceLimits } from '../src/limits.ts';
import { noiseEngine } from './support/engines.ts';
import { serviceWorld } from './support/service.ts';

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

test('a service takes no more connections than it may', async () => {
  const world = await serviceWorld({ limits: { connections: 2 } });
  const ask = async () => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write('GET /nothing HTTP/1.1\r\nHost: service\r\n\r\n');
    const answered = once(socket, 'data').then(() => 'answered');
    return await Promise.race([answered, once(socket, 'close').then(() => 'closed')]);
  };
  expect([await ask(), await ask(), await ask()]).toEqual(['answered', 'answered', 'closed']);
});
