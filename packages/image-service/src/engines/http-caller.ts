import { collectBytes } from '@darkroom/image-api/bytes';
import { withTimeout } from '@darkroom/time';
import { FormData, Pool } from 'undici';
import type { z } from 'zod';
import type { Address } from './address.ts';
import { CallFailed } from './call-failed.ts';
import { parseJson } from './parse-json.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  /** With its query. */
  path: string;
  /** Sent as JSON; a form as multipart. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** For the whole call; the caller's own unless given. */
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  bytes: Uint8Array;
}

/** The largest response that is read: a queue carries whole graphs, and a picture may be large. */
const MAX_BYTES = 128 * 1024 ** 2;
const CONNECT_TIMEOUT_MS = 5_000;

/** Calls one machine. Sends no `Origin`: where that differs from a loopback `Host`, ComfyUI refuses. */
export function createHttpCaller({ address, timeoutMs }: { address: Address; timeoutMs: number }) {
  const { origin, base, headers } = address;
  const pool = new Pool(origin, {
    connections: 32,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    maxResponseSize: MAX_BYTES,
    // A call has its own timeout as a whole; some take minutes before they answer.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /** One attempt. Rejects with `CallFailed` where there is no answer, with the signal's reason where that aborts. */
  async function call({ method = 'GET', path, body, signal, timeoutMs: own }: Call): Promise<HttpResponse> {
    try {
      return await withTimeout(
        own ?? timeoutMs,
        async (bounded) => {
          const response = await pool.request({
            method,
            path: `${base}${path}`,
            signal: bounded,
            ...(body instanceof FormData
              ? { headers, body }
              : {
                  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
                  body: body === undefined ? null : JSON.stringify(body),
                }),
          });
          const bytes = collectBytes();
          for await (const part of response.body) bytes.add(part);
          return { status: response.statusCode, bytes: bytes.all() };
        },
        { signal },
      );
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message || error.name : 'no reason given';
      throw new CallFailed(`${method} ${pathOnly(path)} got no answer: ${why}`, { cause: error });
    }
  }

  /** The JSON of a response with status 200 or 202, parsed by `schema`. Rejects with `CallFailed` for any other. */
  async function read<Data>(schema: z.ZodType<Data>, request: Call): Promise<Data> {
    const response = await call(request);
    const { status } = response;
    const what = `${request.method ?? 'GET'} ${pathOnly(request.path)}`;
    if (status !== 200 && status !== 202)
      throw new CallFailed(`${what} answered ${status}`, { status, body: jsonOf(response) });
    const parsed = schema.safeParse(jsonOf(response));
    if (parsed.success) return parsed.data;
    throw new CallFailed(`${what} answered something unexpected`, { status, cause: parsed.error });
  }

  return {
    call,
    read,

    /** The same; undefined where there is no such thing, or the server's program has no such call. */
    async readIfThere<Data>(schema: z.ZodType<Data>, request: Call): Promise<Data | undefined> {
      try {
        return await read(schema, request);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    /** Tells a server to do something, whose answer has status 200 and no content. */
    async post(path: string, body: unknown, options?: Pick<Call, 'signal' | 'timeoutMs'>): Promise<void> {
      const { status } = await call({ method: 'POST', path, body, ...options });
      if (status !== 200) throw new CallFailed(`POST ${path} answered ${status}`, { status });
    },

    close: (): Promise<void> => pool.destroy(),
  };
}

/** The JSON of a response; undefined where it is not JSON. */
export const jsonOf = ({ bytes }: HttpResponse): unknown => parseJson(new TextDecoder().decode(bytes));

/** Whether a server said that it has no such thing, or no such call. */
export const isMissing = (error: unknown): boolean =>
  error instanceof CallFailed && (error.status === 404 || error.status === 405);

const pathOnly = (path: string) => path.replace(/\?.*$/, '');
