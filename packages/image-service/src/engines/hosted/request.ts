import sharp from 'sharp';
import type { Effect, PromptedDrawing } from '../engine.ts';
import { withExtraArguments } from '../extra-arguments.ts';
import { fitSize } from '../fit-drawing.ts';
import { type Inputs, inSize } from '../inputs.ts';
import { nearestSize, type Size } from '../size.ts';
import { withAlpha } from '../transparency.ts';
import type { Edits, ModelSize, Provider } from './providers.ts';

/** What the SDK is asked for, besides the model itself. */
export async function requestOf(
  drawing: PromptedDrawing,
  inputs: Inputs | undefined,
  {
    model,
    provider,
    effects,
  }: {
    model: string;
    provider: Provider;
    /** The parameters that have an effect in its pictures. */
    effects: readonly Effect[];
  },
) {
  const { sizeStep, maxPixels, extraArguments, maxSeed } = provider;
  const words = drawing.workflow === 'anime' ? `${drawing.prompt}, anime style` : drawing.prompt;
  const { ratio, width, height }: ModelSize =
    nearestSize(drawing, provider.sizes?.(model)) ??
    (inputs ? fitSize(drawing, { sizeStep, maxPixels }) : drawing);
  const text = extraArguments ? withExtraArguments(words, drawing) : words;
  return {
    prompt: inputs
      ? { text, ...(await givenPictures(inputs, { width, height }, provider.edits?.(model))) }
      : text,
    ...(ratio ? { aspectRatio: ratio } : { size: `${width}x${height}` as const }),
    ...(effects.includes('seed') &&
      !extraArguments && { seed: maxSeed === undefined ? drawing.seed : drawing.seed % (maxSeed + 1) }),
    providerOptions: optionsOf(provider, drawing, effects),
  };
}

function optionsOf(
  { options }: Provider,
  { negativePrompt, steps, cfg }: PromptedDrawing,
  effects: readonly Effect[],
): Record<string, Record<string, string | number>> {
  if (!options) return {};
  const { of, always, ...names } = options;
  const values = { negative_prompt: negativePrompt, steps, cfg: Math.min(20, Math.max(1, cfg)) };
  const used = (['negative_prompt', 'steps', 'cfg'] as const).flatMap((effect) => {
    const named = names[effect];
    return named !== undefined && effects.includes(effect) ? [[named, values[effect]]] : [];
  });
  return { [of]: { ...always, ...Object.fromEntries(used) } };
}

/**
 * The pictures that a model is given, the first and its mask in the size that is asked for: what comes back lies over
 * them.
 */
async function givenPictures(
  { picture, references, mask }: Inputs,
  size: Size,
  edits: Edits | undefined,
): Promise<{ images: Uint8Array[]; mask?: Uint8Array }> {
  const first = await inSize(picture, size);
  const images = [first, ...references].slice(0, edits?.images ?? 1);
  if (!mask || !edits?.mask) return { images };
  const fitted = await inSize(mask, size);
  return { images, mask: edits.mask === 'white' ? fitted : await transparentWhere(fitted, first) };
}

/** The picture, seen through where the mask is white. */
const transparentWhere = (mask: Uint8Array, picture: Uint8Array): Promise<Buffer> =>
  withAlpha(picture, sharp(mask).extractChannel(0).negate());
