import { type Look, since } from './look.ts';
import { bloom, defocus, film, grain, vignette } from './optics.ts';

/** A photograph: a lens that focuses on the subject, halation, film curve and grain. */
export const photographic: Look = {
  sky: [],
  land: [defocus(0.011)],
  subjects: [],
  picture: [
    since(4, bloom(0.68, 0.05, 0.34)),
    since(8, bloom(0.8, 0.012, 0.3)),
    film,
    vignette(0.34),
    grain(0.026),
  ],
};
