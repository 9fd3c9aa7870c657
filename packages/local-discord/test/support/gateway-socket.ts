import { WebSocket } from 'ws';

interface Frame {
  op: number;
  t: string | null;
  s: number | null;
  d: Record<string, unknown>;
}

/** A bare connection to a gateway, for what no library would send. */
export function openGatewaySocket(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  const events: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (raw) => {
    // Frames of a gateway are JSON of this shape.
    events.push(JSON.parse(String(raw)) as Frame);
    for (const look of waiting) look();
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
    send: (payload: object) => socket.send(JSON.stringify(payload)),
    raw: (text: string) => socket.send(text),
  };
}
