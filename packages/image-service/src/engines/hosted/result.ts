import type { GenerateImageResult } from 'ai';
import { z } from 'zod';
import type { Expense } from '../engine.ts';

/** What a provider notes of a picture: what it took in credits, and whether it sent a black one instead. */
const note = z
  .object({ cost: z.number().catch(0), nsfw: z.boolean().catch(false) })
  .catch({ cost: 0, nsfw: false });

const notesIn = ({ providerMetadata }: Pick<GenerateImageResult, 'providerMetadata'>) =>
  Object.values(providerMetadata).flatMap(({ images }) => images.map((image) => note.parse(image)));

/**
 * What the provider says that it took, in its own units: OpenAI and Google tell tokens, Black Forest Labs its
 * credits.
 */
export const expensesIn = (result: GenerateImageResult): Expense[] =>
  [
    { unit: 'tokens' as const, amount: result.usage.totalTokens ?? 0 },
    ...notesIn(result).map(({ cost }) => ({ unit: 'credits' as const, amount: cost })),
  ].filter(({ amount }) => amount > 0);

export const isCensored = (result: GenerateImageResult): boolean => notesIn(result).some(({ nsfw }) => nsfw);
