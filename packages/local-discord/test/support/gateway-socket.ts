import { createInflate } from 'node:zlib';
import { WebSocket } from 'ws';
import type { TestDiscord } from './local-discord.ts';

interface Frame {
  op: number;
  t: string | null;
  s: number | null;
  d: Record<string, unknown>;
}

/** A bare connection to a gateway, for what no library would send. */
export function openGatewaySocket(
  url: string,
  { compress, encoding = 'json' }: { compress?: string; encoding?: string } = {},
) {
  const query = `v=10&encoding=${encoding}${compress ? `&compress=${compress}` : ''}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway?${query}`);
  const events: Frame[] = [];
  const waiting = new Set<() => void>();
  const receive = (text: string) => {
    // Frames of a gateway are JSON of this shape.
    events.push(JSON.parse(text) as Frame);
    for (const look of waiting) look();
  };
  const inflate = createInflate();
  let inflated = '';
  inflate.setEncoding('utf8').on('data', (text: string) => {
    inflated += text;
  });
  socket.on('message', (raw: Buffer) => {
    if (!compress) receive(String(raw));
    else {
      inflate.write(raw, () => {
        receive(inflated);
        inflated = '';
      });
    }
  });

  function frame(matches: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const look = () => {
        const found = events.find(matches);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  }

  return {
    events,
    hello: frame(({ op }) => op === 10),
    frame,
    closed: new Promise<number>((resolve) => socket.on('close', resolve)),
    reason: new Promise<string>((resolve) => socket.on('close', (_, reason) => resolve(`${reason}`))),
    send: (payload: object) => socket.send(JSON.stringify(payload)),
    raw: (text: string) => socket.send(text),
  };
}

/** The connection of a bot that has sent IDENTIFY, without intents unless `more` says otherwise. */
export async function identifiedSocket({ discord }: TestDiscord, more: object = {}) {
  const socket = openGatewaySocket(discord.url);
  await socket.hello;
  socket.send({ op: 2, d: { token: discord.token(), intents: 0, ...more } });
  return socket;
}

/** The same, once the gateway has said READY. */
export async function readySocket(world: TestDiscord, more: object = {}) {
  const socket = await identifiedSocket(world, more);
  await socket.frame(({ t }) => t === 'READY');
  return socket;
}
