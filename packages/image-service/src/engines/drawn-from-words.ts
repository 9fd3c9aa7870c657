import type { InputPicture, Source } from './engine.ts';

/** Whether a picture came from words alone, so that whoever drew it can draw it once more, in another size. */
export const isDrawnFromWords = ({ drawing }: InputPicture): boolean =>
  drawing !== undefined && (!drawing.source || isRepeated(drawing.source));

/** Whether what is made of a picture is such a one again: larger, or with more around it. */
export const isRepeated = (source: Source): boolean =>
  (source.operation === 'upscale' || source.operation === 'expand') && isDrawnFromWords(source.image);
