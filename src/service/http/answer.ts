import { z } from 'zod';
import { envelope, problem, refusedEnvelope } from '../../contract/envelope.ts';
import { REFUSALS, type RefusalCode } from '../refusal.ts';

/** What goes around every answer that is not a refusal. */
export const answer = <Data>(data: Data) => ({ success: true as const, data, error: null });

/** The codes that any request may meet, whatever it asks for; that one with a key may meet, or one with a body. */
const ANYWHERE: readonly RefusalCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'database_unavailable',
];
export const OF_KEY = ['missing_api_key', 'invalid_api_key'] as const;
export const OF_BODY = ['body_too_large', 'unsupported_media_type'] as const;

/** The envelope around a refusal with one of `codes`. */
export const refusal = (codes: readonly RefusalCode[]) =>
  refusedEnvelope.extend({ error: problem.required({ request_id: true }).extend({ code: z.enum(codes) }) });

/** The refusals of an operation by their status, for Fastify's `schema.response`. */
export function refusals(...codes: readonly RefusalCode[]) {
  const all = [...ANYWHERE, ...codes];
  const of = (status: number) => refusal(all.filter((code) => REFUSALS[code] === status));
  return Object.fromEntries(all.map((code) => [REFUSALS[code], of(REFUSALS[code])]));
}

/** The same with what an operation answers where it is not refused. */
export const answers = <Data extends z.ZodType>(data: Data, ...codes: readonly RefusalCode[]) => ({
  ...refusals(...codes),
  200: envelope(data),
});
