import type { Clock } from '@darkroom/time';
import { filetypemime } from 'magic-bytes.js';
import type { Dispatcher } from 'undici';
import { PICTURE_LIMITS } from '../contract/pictures.ts';
import { ServiceError, type ServiceErrorKind } from '../service-error.ts';
import { classifyError } from './error-classification.ts';
import { type HttpResponse, IGNORED_BYTES, sendRequest } from './http-request.ts';
import { readRetryAfter } from './retry-after.ts';

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
type PictureType = (typeof PICTURE_TYPES)[number];

export interface DownloadedPicture {
  bytes: Buffer;
  /** What the bytes are, not what the answer said. */
  contentType: PictureType;
}

const MAX_REDIRECTS = 5;

/** The largest picture that is made, as a PNG that hardly compresses: each pixel, and what stands around them. */
const MAX_BYTES = 4 * PICTURE_LIMITS.resultSide ** 2 + 1024 ** 2;

interface Bounds {
  signal: AbortSignal;
  /** Of its caller, where that is less than `MAX_BYTES`. */
  maxBytes: number | undefined;
  /** For one request. */
  timeoutMs: number;
}

/**
 * One attempt. Redirects are followed here, because the errors of undici's interceptor do not tell a loop from a bug.
 */
export function createPictureFetch({ agent, clock }: { agent: Dispatcher; clock: Clock }) {
  return async function fetchPicture(start: URL, bounds: Bounds): Promise<DownloadedPicture> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const found = await request(url, bounds);
      if (!(found instanceof URL)) return found;
      url = found;
    }
    throw new ServiceError(
      'blocked',
      `${requestName(start)} was redirected more than ${MAX_REDIRECTS} times`,
    );
  };

  /** The picture at `url`, or the address that it redirects to. */
  async function request(
    url: URL,
    { signal, maxBytes = MAX_BYTES, timeoutMs }: Bounds,
  ): Promise<DownloadedPicture | URL> {
    const what = requestName(url);
    const { status, headers, body, truncated } = await sendRequest({
      dispatcher: agent,
      what,
      timeoutMs,
      signal,
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: 'image/*' },
      maxBytes: (answered) => (answered === 200 ? maxBytes : IGNORED_BYTES),
    });
    if (status === 200) {
      if (truncated) throw tooLarge(headers, maxBytes, what);
      return asPicture(body, headers, what);
    }
    const { location } = headers;
    if (status >= 300 && status < 400 && location) return parsePictureUrl(location, url);
    const retryAfterMs = readRetryAfter(headers['retry-after'], clock.now(), headers.date);
    const kind = classifyStatus(status, retryAfterMs);
    throw new ServiceError(kind, `${what} answered ${status}`, { status, retryAfterMs });
  }
}

/** `address` resolved against `base`. Throws `ServiceError` `blocked` for anything but http and https. */
export function parsePictureUrl(address: string, base: URL): URL {
  const url = URL.canParse(address, base.href) ? new URL(address, base) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ServiceError(
    'blocked',
    `a picture's address must be http or https, this one is ${url?.protocol ?? 'not an address'}`,
  );
}

/** For messages. Without the query, which may grant access. */
export const requestName = (url: URL) => `GET ${url.origin}${url.pathname}`;

/** The type of a picture by its first bytes, whatever it calls itself; undefined for anything else. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const types = filetypemime(bytes.subarray(0, 64));
  return PICTURE_TYPES.find((type) => types.includes(type));
}

function asPicture(bytes: Buffer, headers: HttpResponse['headers'], what: string): DownloadedPicture {
  const contentType = pictureTypeOf(bytes);
  if (contentType) return { bytes, contentType };
  const claim = headers['content-type']?.slice(0, 100) ?? 'of no type';
  throw new ServiceError('blocked', `${what} is not a picture (${bytes.length} bytes, said to be ${claim})`);
}

function tooLarge(headers: HttpResponse['headers'], maxBytes: number, what: string): ServiceError {
  const bytes = Number(headers['content-length']) || MAX_BYTES;
  const isTaken = maxBytes < bytes && bytes <= MAX_BYTES;
  return new ServiceError('blocked', `${what} is larger than ${isTaken ? maxBytes : MAX_BYTES} bytes`, {
    pictureBytes: isTaken ? bytes : undefined,
  });
}

/** What a status cannot mean here: no key was sent, and a redirect is an error only where it leads nowhere. */
const IMPOSSIBLE: ReadonlySet<ServiceErrorKind> = new Set([
  'unauthorized',
  'insufficient-balance',
  'unreachable',
]);

/** A picture's host says nothing but its status. */
function classifyStatus(status: number, retryAfterMs: number | undefined): ServiceErrorKind {
  const nothing = { code: undefined, message: undefined, carriesContent: false };
  const kind = classifyError({ status, byService: true, retryAfterMs, ...nothing });
  return IMPOSSIBLE.has(kind) ? 'refused' : kind;
}
