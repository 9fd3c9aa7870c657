import { type Canvas, createCanvas } from './canvas.ts';

/** The same picture `factor` times smaller, each pixel the mean of those it stands for. */
export function downscale(canvas: Canvas, factor: number): Canvas {
  const width = Math.max(1, Math.ceil(canvas.width / factor));
  const height = Math.max(1, Math.ceil(canvas.height / factor));
  const small = createCanvas(width, height, canvas.check, canvas.area);
  for (let row = 0; row < height; row++) {
    const top = row * factor;
    const bottom = Math.min(canvas.height, top + factor);
    for (let column = 0; column < width; column++) {
      const left = column * factor;
      const right = Math.min(canvas.width, left + factor);
      const to = (row * width + column) * 3;
      let r = 0;
      let g = 0;
      let b = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const from = (y * canvas.width + x) * 3;
          r += canvas.data[from] ?? 0;
          g += canvas.data[from + 1] ?? 0;
          b += canvas.data[from + 2] ?? 0;
        }
      }
      const count = (bottom - top) * (right - left);
      small.data[to] = r / count;
      small.data[to + 1] = g / count;
      small.data[to + 2] = b / count;
    }
  }
  return small;
}

/** Three box blurs each way come close to a Gaussian of about 1.7 radii; `radius` in pixels. */
export function blur(canvas: Canvas, radius: number): void {
  const { width, height, data } = canvas;
  const reach = Math.max(1, Math.round(radius));
  const line = new Float32Array(Math.max(width, height));
  for (let round = 0; round < 3; round++) {
    canvas.check();
    for (let row = 0; row < height; row++) {
      for (let channel = 0; channel < 3; channel++) {
        box(data, row * width * 3 + channel, 3, width, reach, line);
      }
    }
    for (let column = 0; column < width; column++) {
      for (let channel = 0; channel < 3; channel++) {
        box(data, column * 3 + channel, width * 3, height, reach, line);
      }
    }
  }
}

function box(
  data: Float32Array,
  start: number,
  stride: number,
  count: number,
  reach: number,
  line: Float32Array,
): void {
  const clampIndex = (index: number) => start + Math.min(count - 1, Math.max(0, index)) * stride;
  let sum = 0;
  for (let index = -reach; index <= reach; index++) sum += data[clampIndex(index)] ?? 0;
  const span = reach * 2 + 1;
  for (let index = 0; index < count; index++) {
    line[index] = sum / span;
    sum += (data[clampIndex(index + reach + 1)] ?? 0) - (data[clampIndex(index - reach)] ?? 0);
  }
  for (let index = 0; index < count; index++) data[start + index * stride] = line[index] ?? 0;
}
