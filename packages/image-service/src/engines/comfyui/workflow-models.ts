import { z } from 'zod';

const EXPECTED_MODEL = 'expected the file name of a model, or how it begins';
const model = z.string(EXPECTED_MODEL).trim().min(1, EXPECTED_MODEL);

/** What a workflow takes of several files, by the usual names. */
function parts<Part extends string>(usual: Readonly<Record<Part, string>>) {
  const names = Object.entries<string>(usual).map(([part, name]) => [part, model.default(name)]);
  // One for each part.
  const shape = Object.fromEntries(names) as Record<Part, z.ZodDefault<typeof model>>;
  return z.strictObject(shape, `expected an object with ${Object.keys(usual).join(', ')}`);
}

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
    'z-image': parts({
      diffusionModel: 'z_image_turbo',
      textEncoder: 'qwen_3_4b',
      vae: 'ae.safetensors',
    }).prefault({}),
    'flux-kontext': parts({
      diffusionModel: 'flux1-dev-kontext',
      clip: 'clip_l',
      t5: 't5xxl',
      vae: 'ae.safetensors',
    }).prefault({}),
    'qwen-image-edit': parts({
      diffusionModel: 'qwen_image_edit',
      textEncoder: 'qwen_2.5_vl_7b',
      vae: 'qwen_image_vae',
    }).prefault({}),
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
