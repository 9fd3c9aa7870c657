import { z } from 'zod';
import { WORKFLOWS } from '../contract/limits.ts';

const MAX_CREDITS = 1_000_000;
const A_TARIFF = `expected credits from 0 to ${MAX_CREDITS}: a number, or an object with picture, megapixel and step`;
const credits = z.number(A_TARIFF).min(0, A_TARIFF).max(MAX_CREDITS, A_TARIFF);

/** A workflow's price: credits for a picture, and on top of that for each megapixel and each step. */
const tariff = z.union(
  [
    credits.transform((picture) => ({ picture, megapixel: 0, step: 0 })),
    z.strictObject(
      { picture: credits.default(0), megapixel: credits.default(0), step: credits.default(0) },
      A_TARIFF,
    ),
  ],
  A_TARIFF,
);

/** Prices by workflow, e.g. `{ "default": 1, "rr3": { "picture": 0.5, "megapixel": 1, "step": 0.01 } }`. */
export const priceList = z.partialRecord(
  z.enum(WORKFLOWS),
  tariff,
  `expected an object with prices of ${WORKFLOWS.join(', ')}`,
);
export type PriceList = z.infer<typeof priceList>;

const A_MODEL = 'expected the file name of a model, or how it begins';
const model = z.string(A_MODEL).trim().min(1, A_MODEL);

/**
 * The models of the built-in workflows: a file name as the server lists it, or how one begins, so that
 * `animagine-xl-4.0` finds `sdxl/animagine-xl-4.0-opt.safetensors`.
 */
export const modelList = z.strictObject(
  {
    default: model.default('v1-5-pruned-emaonly'),
    anime: model.default('animagine-xl-4.0'),
    'z-image': z
      .strictObject(
        {
          diffusionModel: model.default('z_image_turbo'),
          textEncoder: model.default('qwen_3_4b'),
          vae: model.default('ae.safetensors'),
        },
        'expected an object with diffusionModel, textEncoder, vae',
      )
      .prefault({}),
    /** Models that callers may name, exactly; every one that a server has where this is absent. */
    allowed: z.array(model, 'expected a list of file names').optional(),
  },
  'expected an object with default, anime, z-image, allowed',
);
export type Models = z.infer<typeof modelList>;
