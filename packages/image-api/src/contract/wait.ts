import { z } from 'zod';

/**
 * Our addition: for how many seconds the answer may wait for the task to end. Shorter than a connection may be
 * silent.
 */
export const wait = z.coerce.number().min(0).max(50).optional();
