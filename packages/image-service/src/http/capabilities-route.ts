import { type CapabilitiesAnswer, OPERATIONS } from '@darkroom/image-api/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ServiceLimits } from '../limits.ts';
import { holderOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

export interface CapabilitiesRoute {
  capabilities(): Promise<CapabilitiesAnswer['workflows']>;
  limits: ServiceLimits;
}

export const capabilitiesRoute: FastifyPluginAsyncZod<CapabilitiesRoute> = async (
  app,
  { capabilities, limits },
) => {
  app.route({
    ...routeOf(OPERATIONS.capabilities),
    handler: async (request) => {
      const { maxRunning, maxWaiting, maxPerMinute } = holderOf(request);
      return success({
        workflows: await capabilities(),
        limits: {
          running: maxRunning ?? limits.running,
          waiting: maxWaiting ?? limits.waiting,
          per_minute: maxPerMinute ?? limits.perMinute,
          task_seconds: Math.round(limits.taskMs / 1_000),
        },
      });
    },
  });
};
