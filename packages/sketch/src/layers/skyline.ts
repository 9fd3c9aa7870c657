import { css, lit, mix, rgb } from '../colour.ts';
import { between, chance, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';

/** A city: three depths of towers, the nearer ones darker and with lit windows after noon. */
export const skyline: Layer = async (canvas, scene, detail) => {
  if (scene.backdrop !== 'city') return;
  const random = scene.streams('skyline');
  const { aspect, horizon, palette, time } = scene;
  const foot = (scene.water ? horizon + 0.004 : 0.93) * MILLI;
  const depths = scene.water ? 3 : 4;
  for (let depth = 0; depth < depths; depth++) {
    const near = depth / (depths - 1);
    const wall = mix(
      lit(
        rgb([palette.land[0] + 0.1, palette.land[1] * 0.9, palette.land[2]]),
        mix(palette.light, [1, 1, 1], 0.4),
      ),
      mix(rgb(palette.haze), rgb(palette.horizon), 0.3),
      0.78 - near * 0.68,
    );
    const sunny = mix(wall, rgb(palette.glow), time === 'night' ? 0.04 : 0.12);
    const lamps = !scene.elements.has('windows')
      ? 0
      : time === 'night'
        ? 0.5
        : time === 'dusk'
          ? 0.42
          : time === 'sunset'
            ? 0.3
            : 0.08;
    let shapes = '';
    for (let x = -0.03 * MILLI; x < aspect * MILLI; ) {
      const wide = between(random, 36, 92) * (0.7 + near * 0.5) * Math.min(1, aspect + 0.25);
      const middle = 1 - Math.abs(x / (aspect * MILLI) - 0.5);
      const reach = scene.water ? 1 : 1.25;
      const tall =
        (70 + 300 * random() ** 2.1 * (1.05 - near * 0.45) * middle * 1.35 + (1 - near) * 50) *
        reach *
        Math.min(1, aspect + 0.3);
      shapes += tower(scene, random, {
        x,
        foot,
        wide,
        tall,
        wall: css(wall),
        sunny: css(sunny),
        lamps: lamps * (0.35 + 0.65 * near),
        abundance: detail.abundance,
        near,
      });
      x += wide * between(random, 0.82, 1.12);
    }
    await overlay(canvas, repeated(shapes, placesOf(canvas, scene)));
  }
};

interface Tower {
  x: number;
  foot: number;
  wide: number;
  tall: number;
  wall: string;
  sunny: string;
  lamps: number;
  abundance: number;
  near: number;
}

function tower(scene: Scene, random: Random, shape: Tower): string {
  const { x, foot, wide, tall, wall, sunny } = shape;
  const top = foot - tall;
  const side = (scene.light?.x ?? 0) * MILLI < x ? 0 : wide * 0.72;
  let out = svg`<rect x="${x}" y="${top}" width="${wide}" height="${tall + 60}" fill="${wall}"/><rect x="${x + side}" y="${top}" width="${wide * 0.28}" height="${tall}" fill="${sunny}"/>`;
  const roof = random();
  if (roof < 0.22)
    out += svg`<path d="M${x} ${top + 0.5}L${x + wide / 2} ${top - wide * 0.55}L${x + wide} ${top + 0.5}Z" fill="${wall}"/>`;
  else if (roof < 0.5)
    out += svg`<rect x="${x + wide * 0.2}" y="${top - wide * 0.35}" width="${wide * 0.6}" height="${wide * 0.36}" fill="${wall}"/>`;
  else if (roof < 0.62)
    out += svg`<path d="M${x} ${top + 0.5}V${top - wide * 0.4}L${x + wide} ${top + 0.5}Z" fill="${wall}"/>`;
  if (tall > 260 && roof < 0.6)
    out += svg`<rect x="${x + wide / 2 - 1.2}" y="${top - wide * 1.25}" width="2.4" height="${wide * 1.2}" fill="${wall}"/>`;
  return out + windows(scene, random, shape, top);
}

function windows(scene: Scene, random: Random, shape: Tower, top: number): string {
  if (shape.lamps < 0.02) return '';
  const columns = Math.max(3, Math.round(shape.wide / 9));
  const pitch = shape.wide / (columns + 0.6);
  const rows = Math.min(44, Math.floor((shape.tall - 8) / (pitch * 1.25)));
  const colours = [
    scene.moods.includes('electric') ? '#ff7ad9' : '#ffd98a',
    '#ffc566',
    scene.time === 'night' || scene.moods.includes('electric') ? '#a9e4ff' : '#fff0c2',
  ];
  const paths = ['', '', ''];
  for (let row = 0; row < rows; row++) {
    const storey = chance(random, 0.1) ? 2.2 : 1;
    for (let column = 0; column < columns; column++) {
      const roll = random();
      const shade = Math.floor(random() * random() * 3);
      if (roll > shape.lamps * storey * (0.5 + 0.5 * shape.abundance)) continue;
      const x = shape.x + pitch * (column + 0.5);
      const y = top + pitch * 0.8 + row * pitch * 1.25;
      paths[shade] += svg`M${x} ${y}h${pitch * 0.55}v${pitch * 0.7}h-${pitch * 0.55}z`;
    }
  }
  return paths
    .map((path, shade) =>
      path
        ? `<path d="${path}" fill="${colours[shade]}" opacity="${(0.45 + 0.5 * shape.near).toFixed(2)}"/>`
        : '',
    )
    .join('');
}
