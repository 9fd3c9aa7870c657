import { apiError, ERROR_CODES, type ErrorCode } from '@darkroom/image-api';
import { z } from 'zod';

/** The envelope around `data`. */
export const success = <Data>(data: Data) => ({ success: true as const, data, error: null });

/** The schemas of failures with one of `codes`, by their HTTP status. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const withStatus = (status: number) => {
    const code = z.enum(codes.filter((each) => ERROR_CODES[each] === status));
    return z.intersection(apiError, z.looseObject({ error: z.looseObject({ code }) }));
  };
  return Object.fromEntries(codes.map((code) => [ERROR_CODES[code], withStatus(ERROR_CODES[code])]));
}
