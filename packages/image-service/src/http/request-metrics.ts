import { OPERATIONS, operationName } from '@darkroom/image-api/contract';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../observability/metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    errorCode: string | undefined;
    /** For how many milliseconds it has waited for a task because its caller asked for that. */
    waitedMs: number;
  }
}

const SUBMIT = operationName(OPERATIONS.submit);

/**
 * Tells `metrics`, where there are any, of every request: by its operation or route, never by its address, in which
 * anything may stand. What its caller asked to wait for is no time of the service's.
 */
export function measureRequests(app: FastifyInstance, metrics: Metrics | undefined): void {
  app.decorateReply('waitedMs', 0);
  if (!metrics) return;
  app.addHook('onResponse', async ({ routeOptions: { config, url } }, reply) => {
    const { operation } = config;
    const name = operation?.slice(operation.indexOf('=') + 1) ?? url ?? 'unknown';
    metrics.request(name, reply.statusCode, reply.elapsedTime - reply.waitedMs);
    if (operation === SUBMIT) metrics.submission(reply.errorCode ?? 'accepted');
  });
}
