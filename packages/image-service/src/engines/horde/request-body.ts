import type { Drawing } from '../engine.ts';

/** Stands between what to show and what to leave out. */
const NEGATIVE = '###';

/** What is asked of the Horde for a drawing. Nothing indecent is asked for, and what comes out so is censored. */
export function requestBody(drawing: Drawing & { prompt: string }, models: readonly string[]) {
  const { prompt, negativePrompt, width, height, steps, cfg, seed } = drawing;
  const words = [prompt, negativePrompt].map((text) => text.replaceAll(NEGATIVE, ' ').trim());
  return {
    prompt: words.filter(Boolean).join(` ${NEGATIVE} `),
    models,
    params: {
      width,
      height,
      steps,
      // More decimals are refused.
      cfg_scale: Math.round(cfg * 100) / 100,
      seed: `${seed}`,
      sampler_name: 'k_euler_a',
      karras: true,
      n: 1,
    },
    nsfw: false,
    censor_nsfw: true,
    trusted_workers: false,
    slow_workers: true,
    shared: false,
    // Words that are against its terms are replaced: otherwise one member could have everybody's address blocked.
    replacement_filter: true,
    // While it is full, a smaller picture is drawn instead of none.
    allow_downgrade: true,
    // The picture comes with the answer, and not as an address elsewhere.
    r2: false,
  };
}
