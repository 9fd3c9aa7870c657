import type { SealedField } from '../storage/sealed-field.ts';

/** The tokens of interactions whose answers pend, in the rows that `createPendingAnswers` writes. */
export const sealedPendingTokens = {
  collection: 'pending',
  field: 'token',
  contextOf: (id) => `pending:${id}`,
} as const satisfies SealedField;
