import { ServiceError } from '../errors.ts';

/** `address` resolved against `base`. Throws `ServiceError` `blocked` for anything but http and https. */
export function pictureAddress(address: string, base: URL): URL {
  const url = URL.canParse(address, base.href) ? new URL(address, base) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ServiceError(
    'blocked',
    `a picture's address must be http or https, this one is ${url?.protocol ?? 'not an address'}`,
  );
}

/** For messages. Without the query, which may be what lets one in. */
export const nameOf = (url: URL) => `GET ${url.origin}${url.pathname}`;
