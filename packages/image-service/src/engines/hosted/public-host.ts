import { isIP } from 'node:net';
import { isPublicAddress } from '@darkroom/image-api';

/** The host of an address; undefined for one in the operator's own network, as far as its name tells. */
export function publicHostOf(url: string): string | undefined {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = isIP(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || /\.(local|internal|lan)$/.test(host);
  return isOwn ? undefined : host;
}
