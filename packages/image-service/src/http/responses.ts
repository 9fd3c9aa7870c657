import { ERROR_CODES, type ErrorCode, errorEnvelope } from '@darkroom/image-api';

/** The envelope around `data`. */
export const success = <Data>(data: Data) => ({ success: true as const, data, error: null });

/** The schemas of failures with one of `codes`, by their HTTP status. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const withStatus = (status: number) => errorEnvelope(codes.filter((code) => ERROR_CODES[code] === status));
  return Object.fromEntries(codes.map((code) => [ERROR_CODES[code], withStatus(ERROR_CODES[code])]));
}
