import type { Oklch } from '../colour.ts';
import { fill, INK, limb, line, oval, pair, type Shades, shades, WHITE } from './figure.ts';

/** What decides a face. Chin at (50, 64), eyes at y = 41. */
export interface Features {
  skin: Shades;
  /** Strength of the red of the cheeks, 0 to 1. */
  blush: number;
  eyes: Oklch;
  hair: Shades;
  female: boolean;
  old: boolean;
  young: boolean;
  bearded: boolean;
  spectacled: boolean;
  freckled: boolean;
}

const LID = 'M35.8 41.4C37.4 36.6 44.2 35.4 47 41.4C44.6 44.8 38.6 45 35.8 41.4Z';

/** A face seen from the front: skin, eyes, nose, mouth, and what years have left on it. */
export function face(features: Features): string {
  const { skin, blush, female, old, young, bearded, spectacled, freckled } = features;
  const shape =
    female || young
      ? 'M32.8 36C31.6 21 40 14 50 14C60 14 68.4 21 67.2 36C67 48 62 58 55.6 62.6C52 65 48 65 44.4 62.6C38 58 33 48 32.8 36Z'
      : 'M32.4 36C31.4 21 40 14 50 14C60 14 68.6 21 67.6 36C67.6 46 66.4 54 62 59.4C58 64 54 66 50 66C46 66 42 64 38 59.4C33.6 54 32.4 46 32.4 36Z';
  const side =
    'M57 15.6C64.6 18.6 68.4 25 67.4 36C67 48 62.4 58 55.8 62.6C53.8 64 52 64.8 50 64.8C59 56 63.6 42 57 15.6Z';
  const cheek = oval('#e4665a', 38.4, 50, 5, 3.6, `opacity="${blush}"`);
  return (
    pair(
      fill(skin.base, 'M33.6 38C29.4 35.6 28.6 41 30.2 45C31.4 48.4 33.6 49.4 35 48Z') +
        fill(skin.dark, 'M32.8 40C30.8 40 31 43.4 32 45.4C32.8 46.6 33.6 46.4 34 45.4Z'),
    ) +
    fill(skin.base, shape) +
    fill(skin.dark, side, 'opacity="0.4"') +
    pair(cheek) +
    (freckled
      ? pair(
          [
            [36.6, 47.6],
            [39.4, 48.8],
            [42, 47.4],
            [38, 51],
            [41.2, 51],
          ]
            .map(([x = 0, y = 0]) => oval(skin.dark, x, y, 0.55, 0.5, 'opacity="0.9"'))
            .join(''),
        )
      : '') +
    (old ? wrinkles(skin) : '') +
    eyesOf(features) +
    nose(skin, female || young) +
    (bearded ? beard(features) : '') +
    mouth(features) +
    (spectacled ? spectacles() : '')
  );
}

function eyesOf({ eyes, hair, skin, female, old, young }: Features): string {
  const iris = shades([Math.max(0.42, eyes[0]), eyes[1], eyes[2]]);
  const large = young ? 1.14 : old ? 0.9 : female ? 1.06 : 0.96;
  const eye =
    `<clipPath id="lid"><path d="${LID}"/></clipPath>` +
    fill(WHITE, LID) +
    `<g clip-path="url(#lid)">${oval(iris.deep, 41.6, 40.4, 3.5)}${oval(iris.base, 41.6, 40.6, 2.9)}${oval(iris.light, 41.6, 42, 1.9, 1.2)}${oval(INK, 41.6, 40.4, 1.45)}${fill(INK, 'M35 36H48V38.6C44 36.4 39 36.8 35 41Z', 'opacity="0.22"')}</g>` +
    line(INK, female ? 1.3 : 0.9, `M35.8 41.4C37.4 36.6 44.2 35.4 47 41.4`) +
    (female ? line(INK, 1, 'M36 41L33.4 39.2M36.8 39.4L34.9 37.2') : '') +
    line(skin.dark, 0.7, 'M36.6 37.4C39 34.4 43.8 34 46.4 37');
  const brow = female
    ? limb([34.4, 33.6, 0.6], [39, 30.8, 1.1], [46, 32.4, 0.9])
    : limb([34, 33.8, 0.7], [39, 31.2, old ? 1.7 : 1.35], [46.4, 32.8, 1]);
  const sized = `<g transform="translate(41.6 40.6) scale(${large}) translate(-41.6 -40.6)">${eye}</g>`;
  return pair(sized + fill(hair.deep, brow)) + [40.4, 57.2].map((x) => oval('#fff', x, 39.3, 0.85)).join('');
}

function nose(skin: Shades, small: boolean): string {
  const wide = small ? 2.2 : 2.9;
  return (
    fill(
      skin.dark,
      `M51.4 38C52.4 43 54 47 ${50 + wide * 1.5} 50.2C${52 + wide * 0.4} 52.4 51 52.4 50 52C51.6 48 51.6 43 51.4 38Z`,
      'opacity="0.55"',
    ) +
    line(
      skin.deep,
      0.8,
      `M${50 - wide} 51C${50 - wide * 0.6} 52.4 49 51.6 50 52.3C51 51.6 ${50 + wide * 0.6} 52.4 ${50 + wide} 51`,
    ) +
    oval(skin.light, 49.4, 47.6, 0.9, 1.8, 'opacity="0.7"')
  );
}

function mouth({ skin, female, old, bearded }: Features): string {
  const colour = female && !old ? '#c5484f' : old ? '#b5665c' : '#b0584e';
  const [half, full] = female ? [5.6, 2.8] : [5.4, old ? 1.5 : 2];
  const y = 57;
  return (
    fill(
      colour,
      `M${50 - half} ${y}C${50 - half * 0.5} ${y - full * 0.8} 48.6 ${y - full} 50 ${y - full * 0.55}C51.4 ${y - full} ${50 + half * 0.5} ${y - full * 0.8} ${50 + half} ${y}C${50 + half * 0.5} ${y + full * 1.35} ${50 - half * 0.5} ${y + full * 1.35} ${50 - half} ${y}Z`,
    ) +
    line(
      '#7a2f35',
      0.8,
      `M${50 - half - 1} ${y - 1.2}C${50 - half * 0.4} ${y + 0.7} ${50 + half * 0.4} ${y + 0.7} ${50 + half + 0.6} ${y - 0.4}`,
    ) +
    oval('#fff', 49, y + full * 0.55, half * 0.3, full * 0.16, 'opacity="0.45"') +
    (bearded ? '' : line(skin.dark, 0.9, 'M47.6 61.4C49 62 51 62 52.4 61.4'))
  );
}

function wrinkles(skin: Shades): string {
  return (
    line(skin.dark, 0.8, 'M41 24.6C46 23.4 54 23.4 59 24.6M40 27.6C46 26.4 54 26.4 60 27.6') +
    pair(
      line(
        skin.dark,
        0.8,
        'M33.8 41L31.8 39.6M33.6 42.6L31.6 42.8M34 44.2L32.2 45.6M37.6 46.8C40 48 43.4 48 45.6 46.4M46 51.4C43.4 53.4 42 56 41.8 58.6',
      ),
    ) +
    line(skin.dark, 0.7, 'M48.8 33.6V36M51.2 33.6V36')
  );
}

function beard({ hair, old }: Features): string {
  const tip = old ? 83 : 72;
  return (
    fill(
      hair.base,
      `M32.2 42C32 58 37 ${tip - 6} 50 ${tip}C63 ${tip - 6} 68 58 67.8 42C66.4 49 63 53.6 58 53.8C54.6 52.6 52 52.6 50 53.6C48 52.6 45.4 52.6 42 53.8C37 53.6 33.6 49 32.2 42Z`,
    ) +
    fill(
      hair.dark,
      `M57 54C62 53 66.4 49 67.8 42C68 58 63 ${tip - 6} 50 ${tip}C58 ${tip - 10} 60 62 57 54Z`,
      'opacity="0.6"',
    ) +
    line(
      hair.light,
      0.8,
      `M40 60C41 65 43 69 46 ${tip - 5}M46 64C47 68 48 70 49 ${tip - 4}M59 60C58 65 56 69 54 ${tip - 6}`,
    ) +
    fill(
      hair.light,
      'M50 53.4C46 51.8 41.6 53.4 39.4 57.6C43.4 57.2 47 56.4 50 55C53 56.4 56.6 57.2 60.6 57.6C58.4 53.4 54 51.8 50 53.4Z',
    )
  );
}

function spectacles(): string {
  const glass =
    oval('#ffffff', 41.4, 41, 7.4, 6.8, 'opacity="0.14"') +
    line('#4a3a36', 1.1, 'M34 41A7.4 6.8 0 0 1 48.8 41A7.4 6.8 0 0 1 34 41ZM34 40L31 38.8');
  return pair(glass) + line('#4a3a36', 1.1, 'M48.6 40C49.4 39 50.6 39 51.4 40');
}
