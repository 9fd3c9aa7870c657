import { z } from 'zod';

/* Schemas of the AI Horde's answers, read loosely: fields that are not needed are not checked. */

export const submitted = z.looseObject({ id: z.string().min(1) });

/** The most that PostgreSQL keeps in an integer. */
const MAX_COUNT = 2 ** 31 - 1;
const count = z
  .number()
  .nonnegative()
  .catch(0)
  .transform((value) => Math.min(MAX_COUNT, Math.ceil(value)));

/** `GET /generate/check/{id}`. Whole seconds until its end; a place of 0 is being drawn, by so many machines. */
export const check = z.looseObject({
  done: z.boolean(),
  processing: count,
  faulted: z.boolean().catch(false),
  is_possible: z.boolean().catch(true),
  wait_time: count,
  queue_position: count,
  kudos: z.number().nonnegative().catch(0),
});

/** `GET /generate/status/{id}`: what is drawn, as base64. */
export const status = z.looseObject({
  generations: z.array(
    z.looseObject({
      img: z.string().catch(''),
      censored: z.boolean().catch(false),
      gen_metadata: z.array(z.looseObject({ type: z.string().catch('') })).catch([]),
    }),
  ),
});
export type Generation = z.infer<typeof status>['generations'][number];

/**
 * `GET /interrogate/status/{id}`: of each form how far it is, and at its end the address of its picture, by its name.
 */
export const forms = z.looseObject({
  forms: z.tuple(
    [
      z.looseObject({
        state: z.string(),
        result: z.record(z.string(), z.unknown()).nullish().catch(undefined),
      }),
    ],
    z.unknown(),
  ),
});

/** `GET /status/models`: models that machines offer now. */
export const models = z.array(z.looseObject({ name: z.string(), count: z.number().catch(0) }));

/** `GET /find_user`. */
export const user = z.looseObject({ username: z.string(), kudos: z.number() });

/** Of a refusal: words, and a code such as `CorruptPrompt`. */
export const problem = z.looseObject({ message: z.string(), rc: z.string().catch('') });
