import type { GenerateImageResult } from 'ai';
import type { Expense } from '../engine.ts';

/**
 * What the provider says that it took, in its own units: OpenAI and Google tell tokens, Black Forest Labs its
 * credits.
 */
export function expensesIn({ usage, providerMetadata }: GenerateImageResult): Expense[] {
  const credits = Object.values(providerMetadata)
    .flatMap(({ images }) => images)
    .flatMap((image) =>
      typeof image === 'object' && image !== null && 'cost' in image && typeof image.cost === 'number'
        ? [image.cost]
        : [],
    );
  return [
    { unit: 'tokens' as const, amount: usage.totalTokens ?? 0 },
    ...credits.map((amount) => ({ unit: 'credits' as const, amount })),
  ].filter(({ amount }) => amount > 0);
}

/** Some send a black picture with a note instead. */
export const isCensored = ({ providerMetadata }: GenerateImageResult): boolean =>
  Object.values(providerMetadata).some(({ images }) =>
    images.some(
      (image) => typeof image === 'object' && image !== null && 'nsfw' in image && image.nsfw === true,
    ),
  );
