import { z } from 'zod';
import { ANY_REQUEST_ERRORS, KEY_ERRORS } from './error-codes.ts';
import { looseNumber } from './loose.ts';
import { type Operation, v1 } from './operation.ts';
import { schema, taking } from './schema.ts';

/** A day in UTC, `2030-12-31`. */
const day = z.iso.date();

const amounts = { completed: z.int(), failed: z.int(), cost: z.number() };
const amount = looseNumber.transform((number) => number ?? 0);
const readAmounts = { completed: amount, failed: amount, cost: amount };

/** The days on which a task ended, oldest first; `cost` is what was spent. */
const sent = schema(
  z
    .object({ days: z.array(z.object({ date: day, ...amounts })), total: z.object(amounts) })
    .meta({ id: 'Usage' }),
);

const read = schema(
  z.object({
    days: z.array(z.object({ date: z.string(), ...readAmounts })),
    total: z.object(readAmounts),
  }),
);
export type Usage = z.infer<typeof read>;

/** The interface has no such operation. */
export const usage = {
  method: 'GET',
  ...v1('usage'),
  tag: 'account',
  summary: 'What the account had drawn, by day',
  description: 'Days are in UTC, both included, in either order; the last 30 unless said otherwise.',
  auth: 'key',
  query: taking(z.looseObject({ from: day.optional(), to: day.optional() })),
  answer: { sent, read },
  errors: [...ANY_REQUEST_ERRORS, ...KEY_ERRORS],
} as const satisfies Operation;
