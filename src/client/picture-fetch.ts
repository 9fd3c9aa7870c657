import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { ServiceError, type ServiceErrorKind } from '../errors.ts';
import { exchange } from './exchange.ts';
import { nameOf, pictureAddress } from './picture-address.ts';
import { type PictureType, pictureTypeOf } from './picture-type.ts';
import { kindOfRefusal } from './refusal.ts';
import { readRetryAfter } from './retry-after.ts';
import { USER_AGENT } from './user-agent.ts';

export interface Picture {
  bytes: Buffer;
  /** What the bytes are, not what the answer said. */
  contentType: PictureType;
}

const MAX_REDIRECTS = 5;
/** Of an answer that is no picture, so that its connection can be used again. */
const DUMP_BYTES = 16 * 1024;

export interface Bounds {
  signal: AbortSignal;
  maxBytes: number;
  /** For one request. */
  timeoutMs: number;
}

/** One attempt, redirects followed here: undici's interceptor for them has errors that do not tell a loop from a bug. */
export function createPictureFetch({ agent, clock }: { agent: Dispatcher; clock: Clock }) {
  return async function fetchPicture(start: URL, bounds: Bounds): Promise<Picture> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const found = await request(url, bounds);
      if (!(found instanceof URL)) return found;
      url = found;
    }
    throw new ServiceError('blocked', `${nameOf(start)} was redirected more than ${MAX_REDIRECTS} times`);
  };

  /** The picture at `url`, or the address that it redirects to. */
  function request(url: URL, { signal, maxBytes, timeoutMs }: Bounds): Promise<Picture | URL> {
    const what = nameOf(url);
    return exchange({
      dispatcher: agent,
      what,
      timeoutMs,
      signal,
      request: {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: 'image/*', 'user-agent': USER_AGENT },
      },
      async read({ statusCode, headers, body }) {
        if (statusCode === 200) return asPicture(await readAtMost(maxBytes, body, what), headers, what);
        await body.dump({ limit: DUMP_BYTES, signal });
        const location = [headers.location].flat()[0];
        if (statusCode >= 300 && statusCode < 400 && location) return pictureAddress(location, url);
        const retryAfterMs = readRetryAfter(headers['retry-after'], clock.now());
        const kind = kindOfStatus(statusCode, retryAfterMs);
        throw new ServiceError(kind, `${what} answered ${statusCode}`, { status: statusCode, retryAfterMs });
      },
    });
  }
}

async function readAtMost(maxBytes: number, body: AsyncIterable<Buffer>, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new ServiceError('blocked', `${what} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function asPicture(bytes: Buffer, headers: Dispatcher.ResponseData['headers'], what: string): Picture {
  const contentType = pictureTypeOf(bytes);
  if (contentType) return { bytes, contentType };
  const claim = [headers['content-type']].flat()[0]?.slice(0, 100) ?? 'of no type';
  throw new ServiceError('blocked', `${what} is not a picture (${bytes.length} bytes, said to be ${claim})`);
}

/** What a status cannot mean here: a picture's host was shown no key, and redirects are followed, unless they lead nowhere. */
const MEANINGLESS: ReadonlySet<ServiceErrorKind> = new Set([
  'unauthorized',
  'insufficient-balance',
  'unreachable',
]);

/** A picture's host has no other words than its status. */
function kindOfStatus(status: number, retryAfterMs: number | undefined): ServiceErrorKind {
  const kind = kindOfRefusal({ status, spoken: true, code: undefined, message: undefined, retryAfterMs });
  return MEANINGLESS.has(kind) ? 'refused' : kind;
}
