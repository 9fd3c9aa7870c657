import { type Draw, fill, INK, limb, line, oval, pair, shades, WHITE } from './figure.ts';

export const bear: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.45, 0.07, 50]);
  const leg = (colour: string, x: number, sway: number) =>
    fill(colour, limb([x, 68, 8.6], [x + sway * 0.5, 84, 6.6], [x + sway, 95, 5.6], [x + sway - 3, 96, 4.2]));
  const head = fill(tones.base, limb([24, 47, 11], [16, 52, 8], [6, 57, 5], [3, 58, 4.2]));
  return {
    body:
      leg(tones.dark, 44, 5) +
      leg(tones.dark, 76, -4) +
      fill(tones.base, limb([34, 55, 15], [50, 56, 17.5], [68, 58, 17], [79, 62, 13])) +
      fill(tones.dark, limb([44, 72, 3], [56, 74, 3.4], [68, 73, 2]), 'opacity="0.5"') +
      leg(tones.base, 34, -4) +
      leg(tones.base, 82, 2) +
      oval(tones.dark, 31, 35, 5) +
      oval(tones.base, 21, 37, 5) +
      oval(tones.deep, 20.6, 37.6, 2.6) +
      head +
      fill(tones.light, limb([10, 57, 4.6], [3, 58.5, 4])) +
      oval(INK, -0.4, 56.4, 2.6, 2.1) +
      oval(INK, 14.6, 48.6, 1.6),
  };
};

export const rabbit: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.72, 0.04, 65]);
  const ear = (x: number, lean: number) =>
    fill(tones.base, limb([x, 38, 4], [x + lean * 0.5, 22, 5.4], [x + lean, 4, 2])) +
    fill(
      '#e3a9a6',
      limb([x, 34, 1.6], [x + lean * 0.5, 21, 2.8], [x + lean * 0.94, 8, 0.8]),
      'opacity="0.8"',
    );
  return {
    body:
      oval(WHITE, 80, 84, 7, 6.6) +
      fill(tones.base, 'M36 97C30 80 38 64 52 62C70 60 82 74 80 97Z') +
      oval(tones.dark, 66, 85, 13, 13) +
      oval(tones.base, 67, 86, 12.4, 12.4) +
      fill(tones.base, limb([66, 96, 4], [52, 97, 3.4])) +
      fill(WHITE, 'M36 66C33 78 36 88 42 92C48 86 50 74 48 66Z') +
      fill(tones.base, limb([42, 78, 4.4], [41, 90, 3.2], [39, 97, 3])) +
      fill(tones.dark, limb([48, 80, 4], [48, 91, 3], [47, 97, 2.8])) +
      ear(46, 10) +
      ear(38, -3) +
      oval(tones.base, 40, 50, 16, 14.6) +
      oval(WHITE, 32, 56, 8, 6.6) +
      oval(INK, 34.6, 46.4, 2.5, 3) +
      oval('#fff', 33.8, 45.2, 0.9) +
      fill('#d98a8a', 'M26 51.6H31L28.4 54.2Z') +
      line(INK, 0.8, 'M28.4 54.2V56.6Q30.6 58.6 33 57.4'),
  };
};

export const penguin: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.3, 0.035, 260]);
  const flipper = fill(tones.base, limb([28, 48, 4.4], [21, 62, 5], [19, 76, 1.6]));
  return {
    body:
      pair(fill('#f0a03c', 'M36 96C36 92 46 92 47 96C47 99 36 100 36 96Z')) +
      pair(flipper) +
      fill(
        tones.base,
        'M50 12C66 12 70 26 70 36C76 48 78 66 75 78C72 92 62 97 50 97C38 97 28 92 25 78C22 66 24 48 30 36C30 26 34 12 50 12Z',
      ) +
      fill(WHITE, 'M50 40C60 32 68 44 69 62C70 82 62 93 50 93C38 93 30 82 31 62C32 44 40 32 50 40Z') +
      pair(oval(WHITE, 42, 29, 7.4, 8.4) + oval(INK, 43.2, 28, 2.1, 2.4) + oval('#fff', 42.6, 27, 0.8)) +
      fill('#f0a03c', 'M45.6 33.4Q50 30.6 54.4 33.4L50 40Z') +
      pair(fill('#f6c24a', 'M30.6 42C31 38 33 36.4 36 36.6C34 40 33 43 32.8 46Z')),
  };
};
