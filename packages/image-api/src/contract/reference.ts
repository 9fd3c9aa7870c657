import { z } from 'zod';

/** One line of text by which a caller knows a task, such as the number of an order. */
export const reference = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[ -~\u00a0-\u2027\u202a-\uffff]+$/, 'must be one line without control characters');
