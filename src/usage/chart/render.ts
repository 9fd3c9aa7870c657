import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { drawMonth, type WidthOf } from './month-drawing.ts';
import { svg, text } from './svg.ts';
import type { UsagePicture } from './usage-picture.ts';

/** Pixels for a unit of the drawing. */
const SCALE = 1.6;

/** resvg draws text with TTF files only, and says nothing where it finds none. */
const FONT_FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'];

/** Draws a picture on this thread; its PNG. `fontFiles`: those that are shipped unless given. */
export function render(picture: UsagePicture, { fontFiles = shippedFonts() } = {}): Uint8Array {
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Inter' };
  /** By what draws it, as only that knows which characters the typeface has. */
  const widthOf: WidthOf = (content, lettering) => {
    const alone = svg({ width: 1, height: 1 }, [text(content, 0, 0, lettering)]);
    const { x, width } = new Resvg(alone, { font }).getBBox() ?? { x: 0, width: 0 };
    // With the space on both sides of the ink.
    return x + width + x;
  };
  return new Resvg(drawMonth(picture, widthOf), { fitTo: { mode: 'zoom', value: SCALE }, font })
    .render()
    .asPng();
}

function shippedFonts(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return FONT_FILES.map((file) => resolve(`@expo-google-fonts/inter/${file}`));
}
