import { z } from 'zod';

const EXPECTED_MODEL = 'expected the file name of a model, or how it begins';
const model = z.string(EXPECTED_MODEL).trim().min(1, EXPECTED_MODEL);

/** Of `default` unless the operator names another; where no server has it, any checkpoint will do. */
export const USUAL_CHECKPOINT = 'v1-5-pruned-emaonly';

/**
 * The models of the built-in workflows: a file name as the server lists it, or how one begins, so that
 * `animagine-xl-4.0` finds `sdxl/animagine-xl-4.0-opt.safetensors`.
 */
export const modelList = z.strictObject(
  {
    default: model.default(USUAL_CHECKPOINT),
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
    'flux-kontext': z
      .strictObject(
        {
          diffusionModel: model.default('flux1-dev-kontext'),
          clip: model.default('clip_l'),
          t5: model.default('t5xxl'),
          vae: model.default('ae.safetensors'),
        },
        'expected an object with diffusionModel, clip, t5, vae',
      )
      .prefault({}),
    'qwen-image-edit': z
      .strictObject(
        {
          diffusionModel: model.default('qwen_image_edit'),
          textEncoder: model.default('qwen_2.5_vl_7b'),
          vae: model.default('qwen_image_vae'),
        },
        'expected an object with diffusionModel, textEncoder, vae',
      )
      .prefault({}),
    /** Enlarges pictures; the first that a server has where this is absent. */
    upscale: model.optional(),
    /** Tells what stands in front in a picture; the first that a server has where this is absent. */
    background: model.optional(),
    /** The file names of the models that callers may use; every model that a server has where this is absent. */
    allowed: z.array(model, 'expected a list of file names').optional(),
  },
  'expected an object with default, anime, z-image, flux-kontext, qwen-image-edit, upscale, background, allowed',
);
export type Models = z.infer<typeof modelList>;

/** The models of the built-in workflows unless the operator names others. */
export const DEFAULT_MODELS: Models = modelList.parse({});
