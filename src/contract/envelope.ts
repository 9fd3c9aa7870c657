import { z } from 'zod';
import { looseText } from './reading.ts';

/** The one envelope of every JSON answer, around `data`. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ success: z.literal(true), data, error: z.null() });

/** What our service puts into `error`. The interface shows no shape for it. */
export const problem = z.object({
  /** Stable, for programs: `missing_prompt`, `parameter_out_of_range`, `insufficient_balance`, … */
  code: z.string(),
  /** For people. */
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  request_id: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;

/** The same around a problem. */
export const refusedEnvelope = z.object({ success: z.literal(false), data: z.null(), error: problem });

/** Without `optional` a key that is missing fails, although its value may be undefined. */
const anything = z.unknown().optional();

const looseProblem = z.union([
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

/** What went wrong, from any shape that services use: text, `{ code | type, message }`, or a list of either. */
export function readProblem(error: unknown): { code: string | undefined; message: string | undefined } {
  const first: unknown = Array.isArray(error) ? error[0] : error;
  if (first == null) return { code: undefined, message: undefined };
  const read = looseProblem.safeParse(first);
  return read.success ? read.data : { code: undefined, message: undefined };
}

/**
 * Any envelope, as it is read: `refused` says that the service itself calls the answer a failure, `explained` that it says
 * of what it is one.
 */
export const readEnvelope = z
  .looseObject({ success: anything, data: anything, error: anything, message: looseText })
  .transform(({ success, data, error, message }) => {
    const refused = success === false || (success === undefined && data == null && error != null);
    const { code, message: reason } = readProblem(error);
    return { refused, explained: error != null, data, problem: { code, message: reason ?? message } };
  });
