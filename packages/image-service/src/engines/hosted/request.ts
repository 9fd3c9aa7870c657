import type { Effect, PromptedDrawing } from '../engine.ts';
import { withExtraArguments } from '../extra-arguments.ts';
import { fitSize } from '../fit-drawing.ts';
import type { Inputs } from '../inputs.ts';
import { nearestSize } from '../size.ts';
import { givenPictures } from './given-pictures.ts';
import type { Edits, Provider } from './providers.ts';

/** What the SDK is asked for, besides the model itself. */
export async function requestOf(
  drawing: PromptedDrawing,
  inputs: Inputs | undefined,
  {
    model,
    provider,
    effects,
    edits,
    takesExtraArguments,
  }: {
    model: string;
    provider: Provider;
    /** The parameters that have an effect in its pictures. */
    effects: readonly Effect[];
    edits: Edits | undefined;
    /** Whether the server reads them from a block in the prompt. */
    takesExtraArguments: boolean;
  },
) {
  const { sizeStep, maxPixels } = provider;
  const words = drawing.workflow === 'anime' ? `${drawing.prompt}, anime style` : drawing.prompt;
  const { ratio, width, height }: { ratio?: `${number}:${number}`; width: number; height: number } =
    nearestSize(drawing, provider.sizes?.(model)) ??
    (inputs ? fitSize(drawing, { sizeStep, maxPixels }) : drawing);
  const text = takesExtraArguments ? withExtraArguments(words, drawing) : words;
  return {
    prompt: inputs ? { text, ...(await givenPictures(inputs, { width, height }, edits)) } : text,
    ...(ratio ? { aspectRatio: ratio } : { size: `${width}x${height}` as const }),
    ...(effects.includes('seed') && !takesExtraArguments && { seed: drawing.seed }),
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
