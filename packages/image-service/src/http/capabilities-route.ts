import { type CapabilitiesAnswer, OPERATIONS } from '@darkroom/image-api/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ServiceLimits } from '../limits.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

export interface CapabilitiesRoute {
  capabilities(): Promise<CapabilitiesAnswer['workflows']>;
  limits: ServiceLimits;
}

export const capabilitiesRoute: FastifyPluginAsyncZod<CapabilitiesRoute> = async (
  app,
  { capabilities, limits: { running, waiting, perMinute, taskMs } },
) => {
  app.route({
    ...routeOf(OPERATIONS.capabilities),
    handler: async () =>
      success({
        workflows: await capabilities(),
        limits: { running, waiting, per_minute: perMinute, task_seconds: Math.round(taskMs / 1_000) },
      }),
  });
};
