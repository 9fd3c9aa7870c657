import { bloom, defocus, film, grain, vignette } from './filters.ts';
import { fromSteps, type Look } from './look.ts';

/** A photograph: a lens that focuses on the subject, halation, film curve and grain. */
export const photographic: Look = {
  sky: [],
  land: [defocus(0.011)],
  subjects: [],
  picture: [
    fromSteps(4, bloom(0.68, 0.05, 0.34)),
    fromSteps(8, bloom(0.8, 0.012, 0.3)),
    film,
    vignette(0.34),
    grain(0.026),
  ],
};
