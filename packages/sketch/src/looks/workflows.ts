import type { Style } from '../lexicon/styles.ts';
import { anime } from './anime.ts';
import type { Look } from './look.ts';
import { painterly } from './painterly.ts';
import { photographic } from './photographic.ts';
import { poster } from './poster.ts';

/** The look that stands for each workflow of the image service. */
export const STYLES = {
  default: 'painterly',
  anime: 'anime',
  'z-image': 'photographic',
  rr3: 'poster',
} as const satisfies Record<string, Style>;

export type Workflow = keyof typeof STYLES;

export const LOOKS: Record<Style, Look> = { painterly, anime, photographic, poster };
