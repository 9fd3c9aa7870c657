import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { looseNumber, looseText } from './loose.ts';
import { wordOfNoTask } from './task-state.ts';

const ALL_CODES = Object.keys(ERROR_CODES) as ErrorCode[]; // a literal has no other keys

export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ success: z.literal(true), data, error: z.null() });

/** What our service puts into `error`. The interface shows no shape for it. */
const errorBody = z.object({
  /** Stable, for programs. */
  code: z.enum(ALL_CODES),
  /** For people. */
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** The envelope around any error of our service. */
export const apiError = z
  .object({ success: z.literal(false), data: z.null(), error: errorBody })
  .meta({ id: 'ApiError' });

/** Without `optional` a key that is missing fails, although its value may be undefined. */
const anything = z.unknown().optional();

const looseError = z.union([
  z
    .string()
    .trim()
    .min(1)
    .transform((message) => ({ code: undefined, message })),
  z
    .looseObject({
      code: anything,
      type: anything,
      message: looseText,
      detail: looseText,
      error: looseText,
    })
    .transform(({ code, type, message, detail, error }) => ({
      code: [code, type].find((word): word is string => typeof word === 'string' && word !== ''),
      message: message ?? detail ?? error,
    })),
]);

const looseCredits = z.looseObject({
  details: z.looseObject({ required: looseNumber, balance: looseNumber }),
});

/** What was to be paid and what there was, where an error says both. */
export interface CreditsMissing {
  required: number;
  balance: number;
}

function readCredits(error: unknown): CreditsMissing | undefined {
  // To refuse the `null` of every poll costs more than to read its task.
  if (error == null) return undefined;
  const { required, balance } = looseCredits.safeParse(error).data?.details ?? {};
  return required === undefined || balance === undefined ? undefined : { required, balance };
}

/** What went wrong, from any shape that services use: text, `{ code | type, message }`, or a list of either. */
export function readError(error: unknown): { code: string | undefined; message: string | undefined } {
  const first: unknown = Array.isArray(error) ? error[0] : error;
  if (first == null) return { code: undefined, message: undefined };
  const read = looseError.safeParse(first);
  return read.success ? read.data : { code: undefined, message: undefined };
}

/** No, also as a number or text. Any other word may mean yes. */
const isNo = (success: unknown): boolean =>
  success === false ||
  success === 0 ||
  (typeof success === 'string' && /^(false|no|0)$/i.test(success.trim()));

/**
 * Any envelope, as it is read. `failed`: the service itself calls the answer a failure. `hasError`: it says something
 * about what went wrong, which is in `error` as far as it can be read.
 */
export const readEnvelope = z
  .object({ success: anything, data: anything, error: anything, message: looseText })
  .transform(({ success, data, error, message }) => {
    const noTask = wordOfNoTask(data);
    const failed =
      isNo(success) || (success == null && data == null && error != null) || noTask !== undefined;
    const { code, message: ownMessage } = readError(error);
    const credits = readCredits(error);
    return {
      failed,
      hasError: error != null,
      data,
      error: { code, message: noTask ?? ownMessage ?? message, credits },
    };
  });
