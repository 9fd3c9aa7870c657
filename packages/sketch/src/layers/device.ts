import { css, mix, rgb } from '../colour.ts';
import { between, pick } from '../random.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { tonesOf } from './abstract-tones.ts';
import type { Layer } from './layer.ts';

/**
 * A figure of turned shapes in the middle of the cloth, where an emblem is asked for and nothing that could be in it.
 */
export const device: Layer = async (canvas, scene) => {
  if (scene.actors.length > 0) return;
  const random = scene.streams('device');
  const { tone } = tonesOf(scene);
  const measure = Math.min(1, scene.aspect * 1.3);
  const x = (scene.aspect / 2) * MILLI;
  const y = (1.01 - 0.6 * measure) * MILLI;
  const radius = 0.27 * measure * MILLI;
  const dark = rgb([scene.palette.zenith[0] * 0.45, scene.palette.zenith[1], scene.palette.zenith[2]]);
  const fold = pick(random, [3, 4, 5, 6, 8]);
  const ring = (shape: string, colour: string, turn: number) =>
    Array.from(
      { length: fold },
      (_, index) =>
        svg`<g transform="rotate(${(index / fold) * 360 + turn})"><path d="${shape}" fill="${colour}"/></g>`,
    ).join('');
  const petal = (reach: number, wide: number, pointed: number) => {
    const w = Math.sin(Math.PI / fold) * reach * wide;
    return svg`M0 0C-${w} ${-reach * 0.3} -${w * pointed} ${-reach * 0.8} 0 ${-reach}C${w * pointed} ${-reach * 0.8} ${w} ${-reach * 0.3} 0 0Z`;
  };
  const pointed = between(random, 0.2, 0.9);
  const outer = css(mix(tone(0.25), dark, 0.25));
  const middle = css(tone(0.6));
  const inner = css(mix(tone(1), [1, 1, 1], 0.2));
  const drawn =
    ring(petal(radius, 1.25, pointed), outer, 180 / fold) +
    ring(petal(radius * 0.94, 0.95, pointed * 0.8), middle, 0) +
    ring(petal(radius * 0.6, 0.85, pointed), inner, 180 / fold) +
    svg`<circle r="${radius * 0.17}" fill="${css(dark)}"/><circle r="${radius * 0.09}" fill="${inner}"/>`;
  const placed = svg`<g transform="translate(${x} ${y})">${drawn}</g>`;
  await overlay(canvas, placed);
};
