import { OPERATIONS } from '@darkroom/image-api';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { SigningSecrets } from '../webhooks/signing-secrets.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

export interface WebhookRoutes {
  signingSecrets: SigningSecrets;
}

/** The secret that an account's webhooks are signed with. */
export const webhookRoutes: FastifyPluginAsyncZod<WebhookRoutes> = async (app, { signingSecrets }) => {
  app.route({
    ...routeOf(OPERATIONS.getWebhookSecret),
    handler: async (request) =>
      success({ webhook_secret: await signingSecrets.current(callerOf(request).account.id) }),
  });

  app.route({
    ...routeOf(OPERATIONS.rotateWebhookSecret),
    handler: async (request) =>
      success({ webhook_secret: await signingSecrets.rotate(callerOf(request).account.id) }),
  });
};
