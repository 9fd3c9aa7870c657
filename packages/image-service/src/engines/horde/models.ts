import type { Drawing } from '../engine.ts';
import type { Size } from '../size.ts';

/**
 * Below this many pixels, models that were trained on small pictures draw better; SDXL was trained on a megapixel.
 */
const LARGE = 0.75 * 1024 ** 2;

interface Preferred {
  small: readonly string[];
  large: readonly string[];
}

/** Generalists of the Horde's model reference, of which none is made for nudity. */
const GENERAL: Preferred = {
  small: ['Dreamshaper', 'stable_diffusion', "ICBINP - I Can't Believe It's Not Photography"],
  large: ['AlbedoBase XL (SDXL)', 'SDXL 1.0', 'ICBINP XL'],
};
const Z_IMAGE = ['Z-Image-Turbo'];
const PREFERRED: Readonly<Record<Drawing['workflow'], Preferred>> = {
  default: GENERAL,
  anime: { small: ['Anything v5', 'Counterfeit', 'Anything Diffusion', 'ToonYou'], large: ['AAM XL'] },
  'z-image': { small: Z_IMAGE, large: Z_IMAGE },
  rr3: GENERAL,
};

/**
 * The models that may draw a workflow, of those that are offered: any of them, as the machine that takes the request
 * chooses. Undefined where none can.
 */
export function modelsFor(
  workflow: Drawing['workflow'],
  offered: readonly string[],
  { width, height }: Size,
): readonly string[] | undefined {
  const { small, large } = PREFERRED[workflow];
  const inOrder = width * height < LARGE ? [small, large] : [large, small];
  for (const preferred of inOrder) {
    const found = offered.filter((name) => preferred.some((wanted) => plain(wanted) === plain(name)));
    if (found.length > 0) return found;
  }
  // Whatever there is draws something.
  return PREFERRED[workflow] === GENERAL ? offered.slice(0, 1) : undefined;
}

/** Spellings differ: `Z-Image-Turbo`, `z_image_turbo`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
