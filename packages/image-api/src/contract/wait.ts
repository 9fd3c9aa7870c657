import { z } from 'zod';

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A number of a query. To JavaScript, no text is a number as well: 0. */
const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;

/**
 * Our addition: for how many seconds the answer may wait for the task to end. Shorter than a connection may be
 * silent.
 */
export const wait = z.preprocess(asNumber, z.number().min(0).max(50)).optional();
