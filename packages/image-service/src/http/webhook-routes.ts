import { OPERATIONS } from '@darkroom/image-api/contract';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { webhookUrl } from '../outbound/caller-url.ts';
import type { SigningSecrets } from '../webhooks/signing-secrets.ts';
import type { SendTestEvent } from '../webhooks/test-event.ts';
import type { WebhookQueue } from '../webhooks/webhook-queue.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { limitAccounts } from './rate-window.ts';
import { success } from './responses.ts';
import { requireId, type TaskAnswers } from './task-answers.ts';

export interface WebhookRoutes {
  answers: TaskAnswers;
  signingSecrets: SigningSecrets;
  webhooks: Pick<WebhookQueue, 'resend'>;
  sendTestEvent: SendTestEvent;
  /** See `webhookUrl`. */
  webhookOrigins: readonly string[];
  clock: Clock;
}

/** Of an account, in a minute. A test that hangs takes a quarter of one. */
const TESTS = 10;
const RESENT = 60;

/** The secret that an account's webhooks are signed with, a test of one, and another attempt of one. */
export const webhookRoutes: FastifyPluginAsyncZod<WebhookRoutes> = async (
  app,
  { answers, signingSecrets, webhooks, sendTestEvent, webhookOrigins, clock },
) => {
  const countTest = limitAccounts(clock, TESTS, 'test webhooks');
  const countResent = limitAccounts(clock, RESENT, 'have webhooks sent again');

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

  app.route({
    ...routeOf(OPERATIONS.testWebhook),
    async handler(request) {
      const { account } = callerOf(request);
      const url = webhookUrl(request.body.webhook, webhookOrigins);
      countTest(account.id);
      const { outcome, status, error } = await sendTestEvent(account.id, url);
      return success({ delivered: outcome === 'delivered', status, error });
    },
  });

  app.route({
    ...routeOf(OPERATIONS.resendWebhook),
    async handler(request) {
      const { account } = callerOf(request);
      const id = requireId(request.body.task_id);
      await answers.now(id, account.id);
      countResent(account.id);
      if (await webhooks.resend(id)) return success(await answers.now(id, account.id));
      throw new ApiError('no_webhook', 'The submission of this task named no webhook.', {
        details: { field: 'task_id' },
      });
    },
  });
};
