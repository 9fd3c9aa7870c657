import type { Oklch } from '../colour.ts';
import { chance, pick } from '../random.ts';
import { type Draw, fill, oval, shades } from './figure.ts';

const WORLDS: readonly [Oklch, ...Oklch[]] = [
  [0.72, 0.12, 60],
  [0.6, 0.13, 250],
  [0.68, 0.13, 330],
  [0.66, 0.11, 180],
];

export const planet: Draw = (random, coat) => {
  const tones = shades(coat ?? pick(random, WORLDS));
  const ringed = chance(random, 0.7);
  const bands = [-26, -12, 2, 15, 27]
    .map((y, band) =>
      fill(
        band % 2 ? tones.light : tones.dark,
        `M-44 ${y}Q0 ${y + 9} 44 ${y}V${y + 7}Q0 ${y + 15} -44 ${y + 6}Z`,
        'opacity="0.55"',
      ),
    )
    .join('');
  const ring = (back: boolean) =>
    `<g fill="none" clip-path="url(#${back ? 'upper' : 'lower'})"><ellipse rx="66" ry="15" stroke="${tones.light}" stroke-width="6" opacity=".85"/><ellipse rx="56" ry="12" stroke="${tones.base}" stroke-width="3.4" opacity=".8"/></g>`;
  return {
    body: `<clipPath id="upper"><rect x="-90" y="-60" width="180" height="60"/></clipPath><clipPath id="lower"><rect x="-90" y="0" width="180" height="60"/></clipPath><clipPath id="disc"><circle r="40"/></clipPath><radialGradient id="night" cx=".3" cy=".3" r=".85"><stop offset=".4" stop-color="#0a0618" stop-opacity="0"/><stop offset="1" stop-color="#0a0618" stop-opacity=".85"/></radialGradient><g transform="translate(50 50) rotate(-18)">${ringed ? ring(true) : ''}${oval(tones.base, 0, 0, 40)}<g clip-path="url(#disc)">${bands}</g><circle r="40" fill="url(#night)"/>${ringed ? ring(false) : ''}</g>`,
  };
};
