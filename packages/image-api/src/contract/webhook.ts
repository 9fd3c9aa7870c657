import { z } from 'zod';
import { ANY_REQUEST_ERRORS, BODY_ERRORS, KEY_ERRORS, TOKEN_ERRORS } from './error-codes.ts';
import { looseFlag, looseNumber, looseText } from './loose.ts';
import { keyAction, type Operation, v1 } from './operation.ts';
import { PUBLIC_ADDRESS } from './public-address.ts';
import { schema, taking } from './schema.ts';

const address = z.string().min(1).meta(PUBLIC_ADDRESS);

/** Where the end of a task is sent: its address, alone or as `url`. */
export const webhook = z.union([address, z.looseObject({ url: address })]);

/** What a receiver made of a webhook. */
const sent = {
  /** The HTTP status of the answer. */
  status: z.int().optional(),
  /** Why there was none, or why it does not count. */
  error: z.string().optional(),
};

/**
 * What became of a task's webhook. `waiting`: for the task to end; `pending`: to be sent, perhaps again; `disabled`:
 * given up, for `reason`.
 */
export const webhookStatus = schema(
  z
    .object({
      state: z.enum(['waiting', 'pending', 'delivered', 'disabled']),
      attempts: z.array(z.object({ at: z.iso.datetime(), ...sent })),
      next_attempt_at: z.iso.datetime().optional(),
      reason: z.string().optional(),
    })
    .meta({ id: 'WebhookStatus' }),
);
export type WebhookStatus = z.infer<typeof webhookStatus>;

const token = taking(z.looseObject({ token: z.string().nullish() }));

const answer = {
  /** Standard Webhooks' form: `whsec_` and base64. */
  sent: schema(z.object({ webhook_secret: z.string().regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/) })),
  read: schema(
    z
      .looseObject({ webhook_secret: z.string().min(1) })
      .transform(({ webhook_secret }) => ({ webhookSecret: webhook_secret })),
  ),
};

export const getWebhookSecret = {
  method: 'GET',
  ...keyAction('get_webhook_secret'),
  tag: 'webhooks',
  summary: 'The secret that webhooks are signed with',
  auth: 'key or login token',
  query: token,
  answer,
  errors: [...ANY_REQUEST_ERRORS, ...TOKEN_ERRORS, 'invalid_api_key', 'key_unreadable'],
} as const satisfies Operation;

export const rotateWebhookSecret = {
  method: 'POST',
  ...keyAction('rotate_webhook_secret'),
  tag: 'webhooks',
  summary: 'Make a new secret for webhooks',
  description: 'For a day, webhooks are signed with the one before as well.',
  auth: 'login token',
  query: token,
  body: taking(token.nullish()),
  answer,
  errors: [...ANY_REQUEST_ERRORS, ...BODY_ERRORS, ...TOKEN_ERRORS],
} as const satisfies Operation;

/** One attempt, of a webhook like that of a task that failed with the code `test`. */
export const testWebhook = {
  method: 'POST',
  ...v1('test_webhook'),
  tag: 'webhooks',
  summary: 'Send a test to a webhook',
  description:
    'Signed as any other, once, and with the end of a task that never was: `error_code` is `test`.',
  auth: 'key',
  body: taking(z.object({ webhook })),
  example: { webhook: 'https://bot.example/hooks' },
  answer: {
    sent: schema(z.object({ delivered: z.boolean(), ...sent })),
    read: schema(
      z
        .looseObject({ delivered: looseFlag, status: looseNumber, error: looseText })
        .transform(({ delivered = false, status, error }) => ({ delivered, status, error })),
    ),
  },
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS, ...BODY_ERRORS, 'parameter_out_of_range', 'key_unreadable'],
} as const satisfies Operation;
