import { WithheldError } from '../engine.ts';

/** For a picture that a provider was asked for, took on and withholds. `why`: a sentence, perhaps without its end. */
export const withheld = (why: string, options?: ErrorOptions): WithheldError =>
  new WithheldError(
    `${why.replace(/\.?$/, '.')} It costs its whole price, as if it had been shown.`,
    options,
  );
