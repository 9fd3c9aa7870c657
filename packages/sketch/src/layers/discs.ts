import { dab, setPixel, shade } from '../canvas.ts';
import { css, gradient, mix, rgb } from '../colour.ts';
import { between, chance, pick } from '../random.ts';
import { MILLI, overlay } from '../vector.ts';
import { tonesOf } from './abstract-tones.ts';
import type { Layer } from './layer.ts';

/** Discs, rings and arcs that balance one large disc. */
export const discs: Layer = async (canvas, scene, detail) => {
  const random = scene.streams('discs');
  const {
    hues: [ground],
    tone,
    energy,
  } = tonesOf(scene);
  const { aspect } = scene;
  const measure = Math.min(1, aspect);
  const cloth = gradient([
    [0, [ground[0] * 0.62, ground[1] * 0.7, ground[2]]],
    [1, [Math.min(0.92, ground[0] * 0.95 + 0.06), ground[1] * 0.7, ground[2]]],
  ]);
  const lean = between(random, -0.5, 0.5);
  shade(canvas, (x, y, pixel) => setPixel(pixel, cloth(y + (x / aspect - 0.5) * lean)));
  const left = chance(random, 0.5);
  const cx = aspect * (left ? between(random, 0.34, 0.44) : between(random, 0.56, 0.66));
  const cy = between(random, 0.4, 0.55);
  const large = between(random, 0.25, 0.31) * measure;
  dab(canvas, { x: cx, y: cy, radius: large * 2.4, colour: tone(0.8), strength: 0.4, edge: 0, light: true });
  let gradients = '';
  let drawn = '';
  const n = (value: number) => (value * MILLI).toFixed(1);
  const paint = (one: number, other: number, turn: number) => {
    const id = `tone-${gradients.length}`;
    gradients += `<linearGradient id="${id}" gradientTransform="rotate(${turn.toFixed(0)} .5 .5)"><stop offset="0" stop-color="${css(tone(one))}"/><stop offset="1" stop-color="${css(tone(other))}"/></linearGradient>`;
    return `url(#${id})`;
  };
  const share = () => between(random, 0.1, 1);
  const shadow = css(mix(rgb(ground), [0, 0, 0], 0.6));
  const disc = (x: number, y: number, radius: number) => {
    drawn +=
      `<circle cx="${n(x + radius * 0.06)}" cy="${n(y + radius * 0.09)}" r="${n(radius)}" fill="${shadow}" opacity="0.28"/>` +
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${paint(share(), share(), random() * 360)}"/>`;
  };
  const half = (x: number, y: number, radius: number) => {
    drawn += `<path transform="rotate(${(random() * 360).toFixed(0)} ${n(x)} ${n(y)})" d="M${n(x - radius)} ${n(y)}A${n(radius)} ${n(radius)} 0 0 1 ${n(x + radius)} ${n(y)}Z" fill="${paint(share(), share(), random() * 360)}" opacity="0.92"/>`;
  };
  const ring = (x: number, y: number, radius: number, wide: number) => {
    drawn += `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="none" stroke="${css(tone(share()))}" stroke-width="${n(wide)}" opacity="0.85"/>`;
  };
  for (let orbit = 0; orbit < 3; orbit++)
    ring(cx, cy, large * (1.18 + orbit * between(random, 0.16, 0.3)), 0.0022 + 0.002 * random());
  disc(cx, cy, large);
  half(cx, cy, large * between(random, 0.5, 0.82));
  const count = Math.round((5 + 6 * energy) * (0.6 + 0.4 * detail.abundance));
  for (let index = 0; index < count; index++) {
    const angle = (index / count) * Math.PI * 2 + random() * 0.8;
    const reach = large * between(random, 0.95, 1.7 + 0.6 * energy);
    const x = cx + Math.cos(angle) * reach * Math.max(1, aspect * 0.9) + (left ? 0.05 : -0.05) * aspect;
    const y = cy + Math.sin(angle) * reach;
    const radius = large * between(random, 0.12, 0.46);
    const kind = pick(random, ['disc', 'disc', 'half', 'ring', 'target'] as const);
    if (kind === 'disc') disc(x, y, radius);
    else if (kind === 'half') half(x, y, radius);
    else if (kind === 'ring') ring(x, y, radius, radius * between(random, 0.12, 0.3));
    else {
      disc(x, y, radius);
      ring(x, y, radius * 0.66, radius * 0.1);
      disc(x, y, radius * 0.34);
    }
  }
  const beam = css(mix(tone(1), [1, 1, 1], 0.35));
  for (let line = 0; line < 2 + Math.round(energy * 5); line++) {
    const angle = between(random, -0.6, 0.6) + (line % 2 ? Math.PI / 2 : 0) * energy;
    const px = cx + between(random, -0.3, 0.3);
    const py = cy + between(random, -0.3, 0.3);
    const long = between(random, 0.2, 0.55);
    drawn += `<path d="M${n(px - Math.cos(angle) * long)} ${n(py - Math.sin(angle) * long)}L${n(px + Math.cos(angle) * long)} ${n(py + Math.sin(angle) * long)}" stroke="${beam}" stroke-width="${n(between(random, 0.0016, 0.006))}" stroke-linecap="round" opacity="0.7"/>`;
  }
  await overlay(canvas, `<defs>${gradients}</defs>${drawn}`);
};
