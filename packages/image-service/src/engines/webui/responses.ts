import { z } from 'zod';

/* Schemas of answers, read loosely: fields that are not needed are not checked. */

/** `POST /sdapi/v1/txt2img` and `img2img`: pictures as base64, with or without `data:image/png;base64,` before it. */
export const drawn = z.looseObject({ images: z.array(z.string()) });

/** `POST /sdapi/v1/extra-single-image`. */
export const enlarged = z.looseObject({ image: z.string() });

/**
 * `GET /sdapi/v1/progress`. `job_count` is 0 while nothing is drawn, and -1 before it is known how many there are.
 */
export const progress = z.looseObject({
  /** 0 to 1. */
  progress: z.number().catch(0),
  /** The unfinished picture as base64. */
  current_image: z.string().nullish().catch(undefined),
  state: z
    .looseObject({
      job_count: z.number().catch(0),
      /** When the job began, to the second; of that which `job_count` is of. */
      job_timestamp: z.string().optional().catch(undefined),
      interrupted: z.boolean().catch(false),
      skipped: z.boolean().catch(false),
    })
    .catch({ job_count: 0, interrupted: false, skipped: false }),
});
export type Progress = z.infer<typeof progress>;

/** `GET /sdapi/v1/sd-models`. A title is `folder/name.safetensors [hash]`. */
export const checkpoints = z.array(z.looseObject({ title: z.string() }));

/** `GET /sdapi/v1/samplers` and `upscalers`. */
export const named = z.array(z.looseObject({ name: z.string() }));

/** `GET /sdcpp/v1/capabilities`. */
export const capabilities = z.looseObject({ supported_modes: z.array(z.string()) });

/** `POST /sdcpp/v1/img_gen`. */
export const submitted = z.looseObject({ id: z.string().min(1) });

/** `GET /sdcpp/v1/jobs/{id}`. */
export const job = z.discriminatedUnion('status', [
  z.looseObject({ status: z.enum(['queued', 'generating', 'cancelled']) }),
  z.looseObject({
    status: z.literal('completed'),
    result: z.looseObject({ images: z.array(z.looseObject({ b64_json: z.string() })) }),
  }),
  z.looseObject({
    status: z.literal('failed'),
    error: z.looseObject({ message: z.string().catch('') }).nullish(),
  }),
]);
export type Job = z.infer<typeof job>;

/**
 * Why something was refused: FastAPI's `detail`, which is a text or a list, what was thrown, as `errors` (WebUI) or
 * `message` (Forge), or an `error` that is a text.
 */
export const problem = z
  .looseObject({
    error: z.string().catch(''),
    errors: z.string().catch(''),
    message: z.string().catch(''),
    detail: z.union([z.string(), z.array(z.looseObject({ msg: z.string() }))]).catch(''),
  })
  .transform(({ error, errors, message, detail }) => {
    const details = typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; ');
    return { kind: error, reason: details || errors || message || error };
  });
