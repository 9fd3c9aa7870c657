import { cover, dab, setPixel, shade } from '../canvas.ts';
import { css, gradient, mix, rgb } from '../colour.ts';
import { fractalNoise } from '../noise.ts';
import { pick } from '../random.ts';
import { box, fill, line } from '../subjects/figure.ts';
import { MILLI, overlay } from '../vector.ts';
import type { Layer } from './layer.ts';
import { roomOf } from './room.ts';

/** A window with the sky of the hour over hills, its cross and its curtains. */
export const window: Layer = async (canvas, scene) => {
  const { palette } = scene;
  const { window: opening, day, shown } = roomOf(scene);
  const random = scene.streams('window');
  const air = gradient([
    [0, palette.zenith],
    [0.6, palette.middle],
    [1, palette.horizon],
  ]);
  const hills = fractalNoise(random, 2);
  const area = {
    left: opening.x,
    top: opening.y,
    right: opening.x + opening.wide,
    bottom: opening.y + opening.tall,
  };
  const near = mix(rgb(palette.land), rgb(palette.haze), 0.25);
  const far = mix(rgb(palette.land), rgb(palette.haze), 0.6);
  shade(canvas, (_x, y, pixel) => setPixel(pixel, air((y - opening.y) / opening.tall)), area);
  if (scene.light) {
    const disc = {
      x: opening.x + opening.wide * 0.7,
      y: opening.y + opening.tall * 0.28,
      colour: rgb(palette.glow),
    };
    dab(canvas, { ...disc, radius: 0.024, strength: 1, edge: 1 });
    if (day) dab(canvas, { ...disc, radius: 0.09, strength: 0.4, edge: 0, light: true });
  }
  shade(
    canvas,
    (x, y, pixel) => {
      const level = (y - opening.y) / opening.tall;
      if (level > 0.7 + 0.08 * hills(x * 6, 1)) cover(pixel, far, 1);
      if (level > 0.84 + 0.07 * hills(x * 7, 5)) cover(pixel, near, 1);
    },
    area,
  );
  const x = opening.x * MILLI;
  const y = opening.y * MILLI;
  const wide = opening.wide * MILLI;
  const tall = opening.tall * MILLI;
  const frame = css(shown([0.97, 0.95, 0.9]));
  const hue = pick(random, [25, 150, 250, 80]);
  const cloth = css(shown(rgb([0.72, 0.12, hue])));
  const fold = css(shown(rgb([0.6, 0.12, hue])));
  const rod = css(shown([0.52, 0.36, 0.25]));
  const curtain = (edge: number, way: 1 | -1) =>
    fill(
      cloth,
      `M${edge} ${y - 22}H${edge + way * wide * 0.34}C${edge + way * wide * 0.3} ${y + tall * 0.3} ${edge + way * wide * 0.16} ${y + tall * 0.5} ${edge + way * 6} ${y + tall * 0.62}L${edge - way * 12} ${y + tall * 0.62}Z`,
    ) +
    line(
      fold,
      3,
      `M${edge + way * wide * 0.1} ${y - 14}C${edge + way * wide * 0.1} ${y + tall * 0.3} ${edge + way * wide * 0.04} ${y + tall * 0.45} ${edge} ${y + tall * 0.56}M${edge + way * wide * 0.22} ${y - 14}C${edge + way * wide * 0.2} ${y + tall * 0.2} ${edge + way * wide * 0.14} ${y + tall * 0.36} ${edge + way * wide * 0.06} ${y + tall * 0.5}`,
    );
  const drawn =
    `<rect x="${x}" y="${y}" width="${wide}" height="${tall}" fill="none" stroke="${frame}" stroke-width="16"/>` +
    line(frame, 8, `M${x + wide / 2} ${y}V${y + tall}M${x} ${y + tall * 0.42}H${x + wide}`) +
    box(frame, x - 22, y + tall + 2, wide + 44, 16, 4) +
    curtain(x - 6, 1) +
    curtain(x + wide + 6, -1) +
    line(rod, 7, `M${x - 30} ${y - 22}H${x + wide + 30}`);
  await overlay(canvas, drawn);
};
