import type { InputPicture } from './engine.ts';

/** Whether a picture came from words alone, so that whoever drew it can draw it once more, in another size. */
export function isDrawnFromWords({ drawing }: InputPicture): boolean {
  if (!drawing) return false;
  const { source } = drawing;
  if (!source) return true;
  return (source.operation === 'upscale' || source.operation === 'expand') && isDrawnFromWords(source.image);
}
