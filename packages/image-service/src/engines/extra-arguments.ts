import type { Drawing, Effect } from './engine.ts';

/** What stable-diffusion.cpp's server takes besides words, although OpenAI's routes have no place for it. */
export const EXTRA_EFFECTS: readonly Effect[] = ['negative_prompt', 'steps', 'seed', 'cfg'];

const TAG = 'sd_cpp_extra_args';

/** A prompt with the block that this server reads: without it, every picture has the seed 42 and 20 steps. */
export function withExtraArguments(prompt: string, { negativePrompt, steps, seed, cfg }: Drawing): string {
  const block = {
    seed,
    negative_prompt: negativePrompt,
    sample_params: { sample_steps: steps, guidance: { txt_cfg: cfg } },
  };
  // Of several blocks the first counts, which is to be ours; and a '<' in words would end it.
  return `${withoutExtraArguments(prompt)} <${TAG}>${JSON.stringify(block).replaceAll('<', '\\u003c')}</${TAG}>`;
}

/** Words without such a block: it would set sizes and steps that are not paid for. */
export const withoutExtraArguments = (words: string): string =>
  words.replaceAll(new RegExp(`</?${TAG}>`, 'gi'), ' ');
