import { z } from 'zod';

/** Whose linked key it is: a member's or a server's (`guild`), by its id at Discord. */
export const keyOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), id: z.string() }),
  z.object({ kind: z.literal('guild'), id: z.string() }),
]);
export type KeyOwner = z.infer<typeof keyOwner>;

/** Who pays: the owner of a linked key, or the operator. */
export const payer = z.discriminatedUnion('kind', [
  ...keyOwner.options,
  z.object({ kind: z.literal('operator') }),
]);
export type Payer = z.infer<typeof payer>;
