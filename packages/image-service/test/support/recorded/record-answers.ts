import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { WebSocket } from 'undici';
import { shapeOf } from './shape.ts';

/**
 * What a server answered by its calls, as `GET /queue 200`, and what its socket told by its events, but for
 * unfinished pictures: one of each shape.
 */
export type Answers = Record<string, unknown[]>;

/** The names in these objects are those of a graph's nodes. */
const OF_NODES = ['outputs', 'node_errors', 'meta', 'nodes'];
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|job_[\da-f_]+/g;
const BASE64_PICTURE = /^[A-Za-z0-9+/=]{64,}$/;
const MOST_TEXT = 300;

/**
 * Notes what servers answer to the calls that this process makes by undici, without being in their way. What is told
 * of it names no id, no path of this machine and no port; of a picture only its kind and its size.
 */
export function recordAnswers(isServer: (host: string) => boolean) {
  const bodies = new WeakMap<object, Buffer[]>();
  const answers: Answers = {};

  function note(call: string, value: unknown): void {
    const told = withoutNames(value);
    const noted = answers[call] ?? [];
    answers[call] = noted;
    const shape = JSON.stringify(shapeOf(told));
    if (!noted.some((other) => JSON.stringify(shapeOf(other)) === shape)) noted.push(told);
  }

  // Node types what a channel tells as unknown; undici describes it in its own documents.
  const heard: readonly (readonly [string, (told: never) => void])[] = [
    [
      'undici:request:bodyChunkReceived',
      ({ request, chunk }: { request: object; chunk: Uint8Array }) => {
        const chunks = bodies.get(request) ?? [];
        chunks.push(Buffer.from(chunk));
        bodies.set(request, chunks);
      },
    ],
    [
      'undici:request:headers',
      ({ request, response }: { request: Asked; response: { statusCode: number } }) => {
        request.status = response.statusCode;
      },
    ],
    [
      'undici:request:trailers',
      ({ request }: { request: Asked }) => {
        if (!isServer(new URL(`${request.origin}`).host) || request.status === 101) return;
        const path = request.path.replace(/\?.*$/, '').replaceAll(ID, '{id}');
        const body = Buffer.concat(bodies.get(request) ?? []);
        note(`${request.method} ${path} ${request.status}`, readBody(body));
      },
    ],
    [
      'undici:websocket:open',
      ({ websocket }: { websocket: WebSocket }) => {
        if (!isServer(new URL(websocket.url).host)) return;
        websocket.addEventListener('message', ({ data }: { data: unknown }) => {
          if (typeof data !== 'string') return;
          const event: { type: string } = JSON.parse(data);
          note(`socket ${event.type}`, event);
        });
      },
    ],
  ];
  for (const [channel, hear] of heard) subscribe(channel, hear as (told: unknown) => void);

  return {
    answers,
    stop(): void {
      for (const [channel, hear] of heard) unsubscribe(channel, hear as (told: unknown) => void);
    },
  };
}

interface Asked {
  origin: string | URL;
  method: string;
  path: string;
  status?: number;
}

function readBody(body: Buffer): unknown {
  const kind = kindOf(body);
  if (kind !== undefined) return kind;
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

/** Of a picture its type, and of a PNG its size. */
function kindOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(1, 4).toString() === 'PNG')
    return `image/png of ${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)}`;
  return bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8])) ? 'image/jpeg' : undefined;
}

function withoutNames(value: unknown, isOfNodes = false): unknown {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) {
    const shapes = new Set<string>();
    return value
      .map((each) => withoutNames(each))
      .filter((each) => {
        const shape = JSON.stringify(shapeOf(each));
        return shapes.has(shape) ? false : shapes.add(shape);
      });
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (
    fields.length > 0 &&
    fields.every(([, field]) => Object.hasOwn(Object(field), 'class_type') && Object.hasOwn(field, 'inputs'))
  )
    return 'a graph';
  return Object.fromEntries(
    fields.map(([name, field]) => [
      isOfNodes ? '{node}' : name.replaceAll(ID, '{id}'),
      withoutNames(field, OF_NODES.includes(name)),
    ]),
  );
}

function textOf(text: string): string {
  if (BASE64_PICTURE.test(text)) return `base64 of ${kindOf(Buffer.from(text, 'base64')) ?? 'bytes'}`;
  return text
    .replaceAll(ID, '{id}')
    .replaceAll(/(?:\/[\w.+-]+)+\/(?=[\w.+-])/g, '/…/')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .slice(0, MOST_TEXT);
}
