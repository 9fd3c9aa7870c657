/** How a picture is to be made: by the look that does so, and of what none does. */
export const STYLE_WORDS = {
  painterly: 'oil ölgemälde',
  anime: 'anime manga cartoon comic',
  photographic:
    'photo photos photograph photographs photography photographic photorealistic photorealism hyperrealistic lifelike realistic realism dslr foto fotos fotografie realistisch realistische fotorealistisch',
  poster: 'poster plakat',
  none: 'watercolor watercolour watercolors aquarell acrylic gouache ink pencil charcoal pastels',
} as const;

export type Style = Exclude<keyof typeof STYLE_WORDS, 'none'>;
