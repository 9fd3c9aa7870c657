import { Pool } from 'undici';
import type { z } from 'zod';
import { within } from '../../../deadline.ts';
import type { Address } from './address.ts';
import { CallFailed } from './failure.ts';

export interface Call {
  method?: 'GET' | 'POST';
  /** With its query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** For the whole call; that of the caller unless given. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  bytes: Uint8Array;
}

/** No answer is read beyond this: a queue carries whole graphs, and a picture may be large. */
const MAX_BYTES = 128 * 1024 ** 2;
const CONNECT_TIMEOUT_MS = 5_000;

export type Caller = ReturnType<typeof createCaller>;

/** Calls one ComfyUI. Sends no `Origin`: where that differs from a loopback `Host`, ComfyUI refuses. */
export function createCaller({ address, timeoutMs }: { address: Address; timeoutMs: number }) {
  const { origin, base, headers } = address;
  const pool = new Pool(origin, {
    connections: 32,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    maxResponseSize: MAX_BYTES,
  });

  /** One attempt. Rejects with `CallFailed` where there is no answer, with the signal's reason where that aborts. */
  async function call({ method = 'GET', path, body, signal, timeoutMs: own }: Call): Promise<Answer> {
    try {
      return await within(own ?? timeoutMs, signal, async (bounded) => {
        const answer = await pool.request({
          method,
          path: `${base}${path}`,
          signal: bounded,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
        });
        return { status: answer.statusCode, bytes: await answer.body.bytes() };
      });
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message || error.name : 'no reason given';
      throw new CallFailed(`${method} ${pathOnly(path)} got no answer: ${why}`, { cause: error });
    }
  }

  return {
    call,

    /** The JSON of a 200 as `shape` reads it; anything else is a `CallFailed`. */
    async read<Shape>(shape: z.ZodType<Shape>, request: Call): Promise<Shape> {
      const answer = await call(request);
      const what = `${request.method ?? 'GET'} ${pathOnly(request.path)}`;
      if (answer.status !== 200)
        throw new CallFailed(`${what} answered ${answer.status}`, { status: answer.status });
      const read = shape.safeParse(jsonOf(answer));
      if (read.success) return read.data;
      throw new CallFailed(`${what} answered something unexpected`, { status: 200, cause: read.error });
    },

    close: (): Promise<void> => pool.destroy(),
  };
}

/** The JSON in an answer; undefined where there is none. */
export function jsonOf({ bytes }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const pathOnly = (path: string) => path.replace(/\?.*$/, '');
