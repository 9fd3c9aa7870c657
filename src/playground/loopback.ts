import type { FastifyInstance } from 'fastify';

/** Every way to name this machine's own address in a browser. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Everything of the page comes from here. The library for messages sets `style` attributes; nothing else needs more
 * than `'self'`.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(host.replace(/:\d+$/, ''));
}

/**
 * Keeps other web pages out: a foreign name that was made to point here (DNS rebinding) gets nothing, and a foreign
 * page's requests are not obeyed.
 */
export function guardPage(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers;
    if (!isLoopback(host)) {
      return reply.code(421).send({ message: 'The playground answers to 127.0.0.1 and localhost only.' });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD' && origin !== `http://${host}`) {
      return reply.code(403).send({ message: 'The playground takes actions from its own page only.' });
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
