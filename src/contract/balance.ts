import { z } from 'zod';
import { looseId, looseText, numeric } from './reading.ts';

/** `data` of a balance: permanent credits plus temporary ones that have not expired. */
export const balance = z.object({
  user_id: z.int(),
  username: z.string(),
  balance: z.number(),
  currency: z.literal('credits'),
});

/** A balance as it is read. Without a number in it there is no balance to speak of. */
export const readBalance = z
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
  }));
export type Balance = z.infer<typeof readBalance>;
