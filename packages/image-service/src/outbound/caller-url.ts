import { isIP } from 'node:net';
import { isPublicAddress } from '@darkroom/image-api';
import { ApiError } from '../api-error.ts';

const MAX_LENGTH = 2_000;

/**
 * An address that a caller names, in a parameter. Refused unless it is https and names no user; and where one can see
 * that it is this machine or a private network, unless its origin is in `allowedOrigins`. What its name stands for is
 * checked when a connection is opened.
 */
export function parseCallerUrl(
  text: string,
  { parameter, allowedOrigins }: { parameter: string; allowedOrigins: readonly string[] },
): URL {
  const refused = (why: string) =>
    new ApiError('invalid_request', `${parameter} ${why}.`, { details: { field: parameter } });
  if (text.length > MAX_LENGTH) throw refused(`must have at most ${MAX_LENGTH} characters`);
  if (!URL.canParse(text)) throw refused('must be an address such as https://example.com/path');
  const url = new URL(text);
  if (url.username || url.password) throw refused('must not contain a user name or password');
  if (allowedOrigins.includes(url.origin)) return url;
  if (url.protocol !== 'https:') throw refused('must begin with https://');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if ((isIP(host) && !isPublicAddress(host)) || /(^|\.)localhost\.?$/i.test(host)) {
    throw refused('must not be on this machine or in a private network');
  }
  return url;
}

export const webhookUrl = (webhook: string | { url: string }, allowedOrigins: readonly string[]): URL =>
  parseCallerUrl(typeof webhook === 'string' ? webhook : webhook.url, {
    parameter: 'webhook',
    allowedOrigins,
  });
