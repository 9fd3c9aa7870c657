import { illuminate, shade } from '../canvas.ts';
import { smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';

export const rain: Layer = async (canvas, scene, detail) => {
  if (scene.weather !== 'rain' && scene.weather !== 'storm') return;
  const random = scene.streams('rain');
  const slant = between(random, -0.3, -0.12) * (scene.weather === 'storm' ? 1.7 : 1);
  let near = '';
  let far = '';
  for (let drop = 0; drop < 420 * scene.aspect * detail.abundance; drop++) {
    const x = random() * (scene.aspect + 0.4) * MILLI;
    const y = random() * 1.1 * MILLI;
    const length = between(random, 14, 46);
    const line = svg`M${x} ${y}l${length * slant} ${-length}`;
    if (drop % 4 === 0) near += line;
    else far += line;
  }
  const drops = `<path d="${far}" stroke-width="0.8" opacity="0.16"/><path d="${near}" stroke-width="1.5" opacity="0.24"/>`;
  const everywhere = repeated(drops, placesOf(canvas, scene, { slanted: true }));
  const drawn = `<g stroke="#fff" fill="none" stroke-linecap="round">${everywhere}</g>`;
  await overlay(canvas, drawn);
};

export const lightning: Layer = async (canvas, scene) => {
  if (scene.weather !== 'storm') return;
  const random = scene.streams('lightning');
  const start = between(random, 0.15, 0.85) * scene.aspect * MILLI;
  const end = scene.horizon * MILLI;
  const strike = (
    fromX: number,
    fromY: number,
    toY: number,
    sway: number,
  ): { path: string; points: [number, number][] } => {
    let x = fromX;
    const points: [number, number][] = [[fromX, fromY]];
    for (let y = fromY; y < toY; ) {
      y += between(random, 14, 44);
      x += between(random, -sway, sway);
      points.push([x, Math.min(y, toY)]);
    }
    return { path: `M${points.map(([px, py]) => svg`${px} ${py}`).join('L')}`, points };
  };
  const main = strike(start, 0, end, 26);
  const fork = main.points[Math.floor(main.points.length * 0.45)] ?? [start, 0];
  const side = strike(fork[0], fork[1], fork[1] + (end - fork[1]) * 0.6, 38);
  shade(canvas, (x, y, pixel) => {
    const away = Math.abs(x - start / MILLI) / 0.4;
    illuminate(
      pixel,
      [0.62, 0.68, 1],
      0.34 * Math.exp(-away * away) * smoothstep(scene.horizon + 0.1, 0.1, y),
    );
  });
  const drawn = `<g fill="none" stroke-linejoin="round"><path d="${main.path}" stroke="#aab8ff" stroke-width="11" opacity="0.25"/><path d="${main.path}${side.path}" stroke="#dfe6ff" stroke-width="4.5" opacity="0.5"/><path d="${main.path}" stroke="#fff" stroke-width="2.6"/><path d="${side.path}" stroke="#fff" stroke-width="1.3"/></g>`;
  await overlay(canvas, drawn, { area: { ...canvas.area, bottom: scene.horizon } });
};
