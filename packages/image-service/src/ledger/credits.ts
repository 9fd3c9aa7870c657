/** Amounts are integers in thousandths of a credit, so that no sum is ever rounded. */
const MILLI = 1_000;

export const toMilli = (credits: number): number => Math.round(credits * MILLI);
export const toCredits = (milli: number): number => milli / MILLI;
