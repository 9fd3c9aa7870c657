import { z } from 'zod';
import { ANY_REQUEST_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { looseId, looseText, numeric } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { schema } from './schema.ts';

/** Permanent credits plus temporary ones that have not expired. */
const sent = schema(
  z
    .object({
      user_id: z.int(),
      username: z.string(),
      balance: z.number(),
      currency: z.literal('credits'),
    })
    .meta({ id: 'Balance' }),
);

/** Only the number is needed. */
const read = schema(
  z
    .looseObject({
      user_id: looseId.optional().catch(undefined),
      username: looseText,
      balance: numeric,
      currency: looseText,
    })
    .transform(({ user_id, username, balance, currency }) => ({
      accountId: user_id,
      username,
      balance,
      currency: currency ?? 'credits',
    })),
);
export type Balance = z.infer<typeof read>;

/** Credits as the service counts them, without what a computer adds to a sum of decimals. */
export const toThousandths = (credits: number): number => Math.round(credits * 1_000) / 1_000;

export const balance = {
  method: 'GET',
  ...v1('user_balance'),
  tag: 'account',
  summary: "The account's credits",
  auth: 'key',
  answer: { sent, read },
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS],
} as const satisfies Operation;
