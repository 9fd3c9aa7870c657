import type { Workflow } from '../../../../contract/limits.ts';
import type { Style } from '../scene.ts';
import { anime } from './anime.ts';
import type { Look } from './look.ts';
import { painterly } from './painterly.ts';
import { photographic } from './photographic.ts';
import { poster } from './poster.ts';

/** The look that stands for each workflow. */
export const STYLES: Record<Workflow, Style> = {
  default: 'painterly',
  anime: 'anime',
  'z-image': 'photographic',
  rr3: 'poster',
};

export const LOOKS: Record<Style, Look> = { painterly, anime, photographic, poster };
