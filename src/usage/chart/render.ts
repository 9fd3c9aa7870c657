import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { chartOption, SIZE } from './chart-option.ts';
import type { UsagePicture } from './usage-picture.ts';

/** Pixels for a unit of the drawing. */
const SCALE = 1.6;

/** resvg draws text with TTF files only, and says nothing where it finds none. */
const FONT_FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'];

/** Draws a picture on this thread; its PNG. `fontFiles`: those that are shipped unless given. */
export function render(picture: UsagePicture, { fontFiles = shippedFonts() } = {}): Uint8Array {
  use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  try {
    chart.setOption(chartOption(picture));
    const resvg = new Resvg(chart.renderToSVGString(), {
      fitTo: { mode: 'zoom', value: SCALE },
      font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Inter' },
    });
    return resvg.render().asPng();
  } finally {
    chart.dispose();
  }
}

function shippedFonts(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return FONT_FILES.map((file) => resolve(`@expo-google-fonts/inter/${file}`));
}
