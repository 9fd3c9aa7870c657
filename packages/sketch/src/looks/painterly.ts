import { blur, downscale } from '../blur.ts';
import { type Canvas, cloneCanvas, luminanceOf, middleOf, type Pixel, sample } from '../canvas.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import { vignette } from './filters.ts';
import type { FilterContext, Look } from './look.ts';

/** Widths of the brushes from the ground coat to the last touches, in picture heights. */
const BRUSHES = [0.03, 0.018, 0.011, 0.0065] as const;

/**
 * Oil on canvas: the picture is painted over with strokes that follow its contours, wide brushes first and finer ones
 * only where something is to be seen (Hertzmann 1998, with a flow field instead of spline strokes).
 */
export const painterly: Look = {
  sky: [],
  land: [],
  subjects: [paint],
  picture: [vignette(0.16)],
};

function paint(canvas: Canvas, context: FilterContext): void {
  const brushes = BRUSHES.slice(0, Math.max(1, Math.ceil(context.steps / 4)));
  const model = cloneCanvas(canvas);
  const flow = flowOf(model, context);
  for (const [index, brush] of brushes.entries()) coat(canvas, model, flow, context, brush, index);
  restore(canvas, model, brushes.length / BRUSHES.length);
}

type Flow = ReturnType<typeof flowOf>;

/** Direction of a stroke at a position, in radians, and how much there is to see, 0 to 1. */
function flowOf(model: Canvas, context: FilterContext) {
  const factor = Math.max(1, Math.round(model.unit / 160));
  const small = downscale(model, factor);
  blur(small, 1);
  const drift = fractalNoise(context.scene.streams('flow'), 2);
  const level = luminanceOf(small);
  const step = 1.5 / 160;
  return (x: number, y: number) => {
    const gx = level(x + step, y) - level(x - step, y);
    const gy = level(x, y + step) - level(x, y - step);
    const strength = Math.hypot(gx, gy);
    const loose = drift(x * 0.9, y * 1.1) * 0.6;
    const along = Math.atan2(gy, gx) + Math.PI / 2;
    return { angle: strength > 0.03 ? along : loose, detail: smoothstep(0.015, 0.16, strength) };
  };
}

function coat(
  canvas: Canvas,
  model: Canvas,
  flow: Flow,
  context: FilterContext,
  brush: number,
  index: number,
): void {
  const random = context.scene.streams(`brush ${index}`);
  const wide = Math.max(brush, 1.6 / canvas.unit);
  const { left, top, right, bottom } = canvas.area;
  const columns = Math.ceil((right - left) / (wide * 1.05));
  const rows = Math.ceil((bottom - top) / (wide * 1.05));
  const colour: Pixel = { r: 0, g: 0, b: 0 };
  for (let cell = 0; cell < columns * rows; cell++) {
    if (cell % columns === 0) canvas.check();
    const x = left + ((cell % columns) + random()) * wide * 1.05;
    const y = top + (Math.floor(cell / columns) + random()) * wide * 1.05;
    const keen = random();
    const tone = between(random, -0.013, 0.013);
    const warm = between(random, -0.008, 0.008);
    const sway = between(random, -0.22, 0.22);
    const { angle, detail } = flow(x, y);
    if (index > 0 && keen > detail * 1.1 + (index === 1 ? 0.22 : 0.03)) continue;
    sample(model, x, y, colour);
    const long = wide * (3.2 - 1.5 * detail);
    stroke(
      canvas,
      x,
      y,
      long,
      wide * 0.5,
      angle + sway,
      [colour.r + tone + warm, colour.g + tone, colour.b + tone - warm],
      0.78,
    );
  }
}

function stroke(
  canvas: Canvas,
  x: number,
  y: number,
  long: number,
  half: number,
  angle: number,
  colour: [number, number, number],
  load: number,
): void {
  const { width, height, unit, area, data } = canvas;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const reachX = (Math.abs(cos) * long) / 2 + Math.abs(sin) * half + half;
  const reachY = (Math.abs(sin) * long) / 2 + Math.abs(cos) * half + half;
  const left = Math.max(0, Math.floor((x - area.left - reachX) * unit));
  const right = Math.min(width - 1, Math.ceil((x - area.left + reachX) * unit));
  const top = Math.max(0, Math.floor((y - area.top - reachY) * unit));
  const bottom = Math.min(height - 1, Math.ceil((y - area.top + reachY) * unit));
  const perHalf = 1 / half;
  const perLong = 2 / long;
  for (let row = top; row <= bottom; row++) {
    const dy = area.top + (row + 0.5) / unit - y;
    for (let column = left; column <= right; column++) {
      const dx = middleOf(canvas, column) - x;
      const across = (dy * cos - dx * sin) * perHalf;
      if (across > 1 || across < -1) continue;
      const along = Math.abs(dx * cos + dy * sin) * perLong;
      const out = along * along * along * along + across * across;
      if (out >= 1) continue;
      const share = load * Math.min(1, (1 - out) * 2.4);
      const ridge = 1 + 0.022 * Math.sin(across * 6 + x * 91) * (1 - along);
      const at = (row * width + column) * 3;
      data[at] = (data[at] ?? 0) * (1 - share) + colour[0] * ridge * share;
      data[at + 1] = (data[at + 1] ?? 0) * (1 - share) + colour[1] * ridge * share;
      data[at + 2] = (data[at + 2] ?? 0) * (1 - share) + colour[2] * ridge * share;
    }
  }
}

/** Brings back what the brush was too wide for: eyes, windows, edges. */
function restore(canvas: Canvas, model: Canvas, most: number): void {
  const { data } = canvas;
  for (let at = 0; at < data.length; at += 3) {
    if (at % 98_304 === 0) canvas.check();
    let missed = 0;
    for (let channel = at; channel < at + 3; channel++) {
      missed += Math.abs((data[channel] ?? 0) - (model.data[channel] ?? 0));
    }
    const share = (0.2 + 0.8 * smoothstep(0.07, 0.3, missed)) * most;
    for (let channel = at; channel < at + 3; channel++) {
      const painted = data[channel] ?? 0;
      data[channel] = painted + ((model.data[channel] ?? 0) - painted) * share;
    }
  }
}
