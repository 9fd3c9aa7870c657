import type { FastifyInstance } from 'fastify';

/** How a browser may address this machine. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `style-src-attr` is for the message components, which set `style` attributes. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  // Pictures that were chosen are shown before they are sent.
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ELSEWHERE =
  'The chat page is shown to its own machine alone, at 127.0.0.1 and localhost. A container is a machine of its own, whatever ports it publishes, unless it shares the network: docker run --network host.';

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(host.replace(/:\d+$/, ''));
}

/** Whether this is an address of the machine itself, where IPv4 is mapped to IPv6 as well. */
const isOwnAddress = (ip: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/i.test(ip);

/**
 * Keeps other machines out, and other websites: requests under any other host name are refused (DNS rebinding), and so
 * are actions from another origin (CSRF).
 */
export function requireSameOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers;
    if (!isLoopback(host) || !isOwnAddress(request.ip)) {
      return reply.code(421).send({ message: ELSEWHERE });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD' && origin !== `http://${host}`) {
      return reply.code(403).send({ message: 'The chat page takes actions from its own origin only.' });
    }
    reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
}
