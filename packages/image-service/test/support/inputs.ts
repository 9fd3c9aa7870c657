import sharp from 'sharp';
import type { InputPicture } from '../../src/engines/engine.ts';
import type { Size } from '../../src/engines/size.ts';

export interface Pixels {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  data: Uint8Array;
}

export const png = ({ data, ...raw }: Pixels): Promise<Buffer> => sharp(data, { raw }).png().toBuffer();

/** Pictures that a drawing begins with, and `readInput` for them. */
export function inputs() {
  const files = new Map<string, Uint8Array>();
  return {
    async input(pixels: Pixels): Promise<InputPicture> {
      const file = `${files.size}.png`;
      files.set(file, await png(pixels));
      return { file, width: pixels.width, height: pixels.height };
    },
    async readInput({ file }: InputPicture): Promise<Uint8Array> {
      const bytes = files.get(file);
      if (!bytes) throw new Error(`there is no picture ${file}`);
      return bytes;
    },
  };
}

/** In which every pixel tells where it is. */
export function noise({ width, height, channels = 3 }: Size & Partial<Pick<Pixels, 'channels'>>): Pixels {
  const data = Uint8Array.from(
    { length: width * height * channels },
    (_, at) => (at * 97 + (at >> 5) * 31) % 256,
  );
  return { width, height, channels, data };
}
