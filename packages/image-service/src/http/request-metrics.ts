import { OPERATIONS, operationName } from '@darkroom/image-api/contract';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../observability/metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    errorCode: string | undefined;
  }
}

const SUBMIT = operationName(OPERATIONS.submit);

/** Tells `metrics` of every request: by its operation or route, never by its address, in which anything may stand. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async ({ routeOptions: { config, url } }, reply) => {
    const { operation } = config;
    const name = operation?.slice(operation.indexOf('=') + 1) ?? url ?? 'unknown';
    metrics.request(name, reply.statusCode, reply.elapsedTime);
    if (operation === SUBMIT) metrics.submission(reply.errorCode ?? 'accepted');
  });
}
