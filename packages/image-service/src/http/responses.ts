import { apiError, ERROR_CODES, type ErrorCode } from '@darkroom/image-api/contract';
import { z } from 'zod';

export const success = <Data>(data: Data) => ({ success: true as const, data, error: null });

type Failures = Readonly<Record<number, z.ZodType<z.output<typeof apiError>>>>;

/** Kept, as they are most of what a service would make anew at its start. */
const failures = new Map<string, Failures>();

/** The schemas of failures with one of `codes`, by their HTTP status. */
export function errorResponses(codes: readonly ErrorCode[]): Failures {
  const withStatus = (status: number) => {
    const code = z.enum(codes.filter((each) => ERROR_CODES[each] === status));
    return z.intersection(apiError, z.looseObject({ error: z.looseObject({ code }) }));
  };
  const key = codes.join();
  const known =
    failures.get(key) ??
    Object.fromEntries(codes.map((code) => [ERROR_CODES[code], withStatus(ERROR_CODES[code])]));
  failures.set(key, known);
  return known;
}
