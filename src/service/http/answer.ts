import type { z } from 'zod';
import { envelope, refusedEnvelope } from '../../contract/envelope.ts';

/** What goes around every answer that is not a refusal. */
export const answer = <Data>(data: Data) => ({ success: true as const, data, error: null });

/** The answers of an operation, for Fastify's `schema.response`. */
export const answers = <Data extends z.ZodType>(data: Data) => ({
  200: envelope(data),
  '4xx': refusedEnvelope,
  '5xx': refusedEnvelope,
});
