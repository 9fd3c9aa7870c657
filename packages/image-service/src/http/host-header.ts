import type { IncomingMessage } from 'node:http';

/** A name or an address, and a port; it may be empty. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2 */
const HOST = /^(?:\[[\da-z.:]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * What is wrong with the `Host` of a request, of which there is exactly one: a proxy in front may have gone by the
 * other. HTTP/1.0 needs none. https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function hostProblem({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): string | undefined {
  const hosts = rawHeaders.filter((_, nth) => nth % 2 === 1 && rawHeaders[nth - 1]?.toLowerCase() === 'host');
  if (hosts.length > 1) return 'A request has one Host header, not several.';
  const [host] = hosts;
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'A request has a Host header.';
  return HOST.test(host) ? undefined : 'The Host header is no name of a host.';
}
