import type { Oklch } from '../colour.ts';
import { chance } from '../random.ts';
import { type Draw, type Figure, fill, INK, limb, oval, pair, type Shades, shades, WHITE } from './figure.ts';

interface Breed {
  coat: Oklch;
  belly: string;
  socks: boolean;
  /** Thickness of the tail against a fox's. */
  brush: number;
  tip: string;
  snout: number;
  floppy?: boolean;
}

const FOX: Breed = { coat: [0.66, 0.18, 45], belly: WHITE, socks: true, brush: 1, tip: WHITE, snout: 0.9 };
const WOLF: Breed = {
  coat: [0.52, 0.025, 255],
  belly: '#d9dbe2',
  socks: false,
  brush: 0.8,
  tip: '#3a3d49',
  snout: 1.05,
};
const DOG: Breed = {
  coat: [0.72, 0.1, 65],
  belly: '#fff4e2',
  socks: false,
  brush: 0.55,
  tip: '#fff4e2',
  snout: 1.35,
  floppy: true,
};

export const fox: Draw = (random, coat) => canine(FOX, chance(random, 0.55), coat);
export const wolf: Draw = (random, coat) =>
  chance(random, 0.4) ? howling(WOLF, coat) : canine(WOLF, chance(random, 0.4), coat);
export const dog: Draw = (_random, coat) => canine(DOG, true, coat);

/** Seated, so that they look at us. */
export const foxFace: Draw = (_random, coat) => canine(FOX, true, coat);
export const wolfFace: Draw = (_random, coat) => canine(WOLF, true, coat);

function canine(breed: Breed, sitting: boolean, coat: Oklch | undefined): Figure {
  const tones = shades(coat && breed === FOX && coat[2] < 60 ? [0.62, 0.2, 38] : (coat ?? breed.coat));
  return { body: sitting ? seated(breed, tones) : walking(breed, tones) };
}

function seated(breed: Breed, tones: Shades): string {
  const sock = breed.socks ? '#3b2430' : tones.dark;
  const tail = limb(
    [60, 92, 6],
    [76, 94, 8 * breed.brush],
    [89, 84, 9.5 * breed.brush],
    [91, 68, 7.5 * breed.brush],
    [84, 57, 1.5],
  );
  const tip = limb([91.5, 73, 7.6 * breed.brush], [90.5, 66, 6.8 * breed.brush], [84, 57, 1.5]);
  const body = 'M37 97C33 84 34 63 42 50L59 50C69 58 76 76 72 97Z';
  const haunch = 'M56 98C54 84 60 74 68 76C77 79 78 91 74 98Z';
  const chest = 'M41 50C38 62 40 74 47 83C54 76 60 62 58 50Z';
  const legs =
    fill(tones.base, limb([43, 70, 5], [43, 88, 3.6], [42.5, 96, 3.4])) +
    fill(tones.dark, limb([54, 70, 5], [53.5, 88, 3.6], [53.5, 96, 3.4]));
  const feet =
    fill(sock, limb([43, 87, 3.5], [42.5, 96, 3.6], [40.5, 97.4, 2.8])) +
    fill(sock, limb([53.6, 87, 3.5], [53.5, 96, 3.6], [51.5, 97.4, 2.8]));
  return (
    fill(tones.dark, tail) +
    fill(breed.tip, tip) +
    fill(tones.base, body) +
    fill(tones.dark, haunch) +
    legs +
    fill(breed.belly, chest) +
    feet +
    `<g transform="translate(0 4)">${face(breed, tones)}</g>`
  );
}

/** A head seen from the front, chin at (50, 58). */
function face(breed: Breed, tones: Shades): string {
  const ear = breed.floppy
    ? fill(tones.deep, limb([34, 22, 5], [25, 27, 6.4], [21, 38, 6], [22, 47, 3.4]))
    : fill(tones.base, 'M31 33C27 22 27 12 30 3C38 8 45 15 48 24Z') +
      fill(tones.deep, 'M33 27C31 20 31 14 32 9C37 13 41 18 43 23Z');
  const head =
    'M50 19C60 19 68 24 71 31C73 36 77 38 78 41C70 49 60 51 56 55C54 58 46 58 44 55C40 51 30 49 22 41C23 38 27 36 29 31C32 24 40 19 50 19Z';
  const cheek = 'M22 41C30 38 39 38 45 46C47 50 49 54 50 57.5C47 58 45 56.5 44 55C40 51 30 49 22 41Z';
  const brow = 'M50 20C47 28 46 38 47 47C48 50 52 50 53 47C54 38 53 28 50 20Z';
  const eye = oval(INK, 39.5, 37, 2.5, 3) + oval('#fff', 38.8, 35.9, 0.8);
  const [under, over] = breed.floppy ? ['', pair(ear)] : [pair(ear), ''];
  return (
    under +
    fill(tones.base, head) +
    over +
    fill(tones.light, brow, 'opacity="0.5"') +
    pair(fill(breed.belly, cheek)) +
    pair(eye) +
    oval(INK, 50, 53.6, 3.4 * breed.snout, 2.5 * breed.snout) +
    oval('#fff', 49, 52.8, 0.8, 0.5, 'opacity="0.6"')
  );
}

function walking(breed: Breed, tones: Shades): string {
  const sock = breed.socks ? '#3b2430' : tones.deep;
  const leg = (colour: string, sole: string, x: number, sway: number) =>
    fill(colour, limb([x, 66, 6], [x + sway * 0.4, 80, 3], [x + sway, 96, 2.1])) +
    fill(sole, limb([x + sway * 0.5, 83, 2.6], [x + sway, 95.5, 2.2], [x + sway - 2.6, 97.6, 1.9]));
  const tail = limb(
    [76, 60, 4],
    [86, 65, 6.8 * breed.brush],
    [97, 73, 8.2 * breed.brush],
    [108, 76, 5.5 * breed.brush],
    [115, 74, 1],
  );
  const tip = limb([104, 75.3, 6.9 * breed.brush], [109, 76, 5 * breed.brush], [115, 74, 1]);
  const trunk = limb([30, 61, 9], [42, 63, 10.5], [58, 62, 9], [72, 62, 9.4], [77, 63, 7]);
  const neck = limb([33, 60, 9], [25, 51, 8.4], [20, 44, 8]);
  const head =
    'M28 36C26 30 18 28 12 33C8 38 3 43 -3 47.5C-4.5 49.5 -3 51 0 51.4C8 52.5 17 54 24 50C29 47 30 41 28 36Z';
  const jaw =
    'M-3 49C3 47.5 10 46.5 15 48.5C19 50.5 22 53 24 56C26 64 28 69 33 71C26 70 20 64 18.5 54.5C12 53.4 3 52.4 -0.5 51.6Z';
  const ears =
    fill(tones.dark, 'M21 33C22 24 25 19 30 15C32 22 31 30 27 36Z') +
    fill(tones.base, 'M14 33C13 24 15 18 18 13C23 19 25 27 24 34Z') +
    fill(tones.deep, 'M16.5 30C16 24 17 20 18.6 17.5C21 22 22 27 21.6 31Z');
  return `<g transform="translate(-2 0)">${
    leg(tones.dark, sock, 41, 7) +
    leg(tones.dark, sock, 70, -7) +
    fill(tones.base, tail) +
    fill(breed.tip, tip) +
    fill(tones.base, `${trunk}${neck}`) +
    fill(breed.belly, limb([32, 69, 3], [44, 71.6, 2.2], [56, 69.8, 0.8]), 'opacity="0.85"') +
    leg(tones.base, sock, 33, -5) +
    leg(tones.base, sock, 74, 5) +
    ears +
    fill(tones.base, head) +
    fill(breed.belly, jaw) +
    oval(INK, -2.6, 48, 2.3, 1.9) +
    oval(INK, 12.6, 40, 1.7, 2) +
    oval('#fff', 12, 39.3, 0.6)
  }</g>`;
}

function howling(breed: Breed, coat: Oklch | undefined): Figure {
  const tones = shades(coat ?? breed.coat);
  const tail = limb([66, 92, 5], [80, 95, 6], [92, 90, 5.5], [99, 82, 1]);
  const body = 'M38 98C36 84 33 68 37 50L54 44C64 56 76 76 73 98Z';
  const neck = limb([45, 56, 11], [42, 42, 9], [37, 30, 7.5]);
  const head = limb([40, 32, 7.4], [33, 22, 5.6], [27, 11, 3.2], [25, 6, 2.2]);
  const jaw = limb([34, 30, 3], [27, 21, 2], [22, 14, 1.4]);
  return {
    body:
      fill(tones.dark, tail) +
      fill(tones.base, body) +
      fill(tones.dark, 'M55 98C53 85 60 74 68 77C76 80 78 92 74 98Z') +
      fill(tones.base, neck) +
      fill(tones.dark, 'M40 30C46 24 51 24 55 26C52 32 48 36 43 38Z') +
      fill(tones.base, head) +
      fill(breed.belly, jaw) +
      fill(breed.belly, 'M34 34C32 50 34 66 42 78C50 70 48 50 41 40Z') +
      fill(tones.base, limb([43, 72, 5], [43, 88, 3.6], [41, 97, 3.2])) +
      fill(tones.dark, limb([54, 72, 5], [53, 88, 3.4], [51, 97, 3])) +
      oval(INK, 25, 5.6, 2) +
      smile('M33 22.5Q35 23.5 36.4 22'),
  };
}

const smile = (path: string) =>
  `<path d="${path}" fill="none" stroke="${INK}" stroke-width="1.1" stroke-linecap="round"/>`;
