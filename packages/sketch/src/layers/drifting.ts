import { dab } from '../canvas.ts';
import { css, lit, mix, type Rgb, rgb } from '../colour.ts';
import { between, pick } from '../random.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { moved, placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';

/** Things in the air between us and the view: flakes, petals, leaves, sparks, fireflies, bubbles. */
export const drifting: Layer = (canvas, scene, detail) => {
  const random = scene.streams('drifting');
  const places = placesOf(canvas, scene, { everywhere: true });
  const scatterMarks = (count: number, mark: (x: number, y: number, near: number) => void) => {
    for (let index = 0; index < count * Math.sqrt(scene.aspect) * (0.4 + 0.6 * detail.abundance); index++) {
      const [x, y, near] = [random() * scene.aspect, random(), random() ** 3];
      for (const place of places) {
        const at = moved(x, y, place);
        mark(at.x, at.y, near);
      }
    }
  };
  const soft = mix(scene.palette.light, [1, 1, 1], 0.55);
  if (scene.weather === 'snow') {
    scatterMarks(330, (x, y, near) =>
      dab(canvas, {
        x,
        y,
        radius: 0.0016 + 0.0085 * near,
        colour: soft,
        strength: 0.88 - 0.4 * near,
        edge: 0.6 - 0.5 * near,
      }),
    );
  }
  if (scene.elements.has('fireflies')) {
    scatterMarks(46, (x, height, near) => {
      const y = scene.horizon - 0.22 + height * (1.15 - scene.horizon);
      const colour: Rgb = pick(random, [
        [1, 0.86, 0.42],
        [1, 0.95, 0.6],
        [0.85, 1, 0.55],
      ]);
      dab(canvas, { x, y, radius: 0.012 + 0.02 * near, colour, strength: 0.42, edge: 0, light: true });
      dab(canvas, {
        x,
        y,
        radius: 0.0022 + 0.0028 * near,
        colour: [1, 0.98, 0.85],
        strength: 1,
        edge: 0.5,
        light: true,
      });
    });
  }
  if (scene.elements.has('embers')) {
    scatterMarks(110, (x, y, near) => {
      dab(canvas, {
        x,
        y,
        radius: 0.007 + 0.012 * near,
        colour: [1, 0.42, 0.12],
        strength: 0.5 * y,
        edge: 0,
        light: true,
      });
      dab(canvas, {
        x,
        y,
        radius: 0.0014 + 0.002 * near,
        colour: [1, 0.85, 0.5],
        strength: 0.4 + 0.6 * y,
        edge: 0.6,
        light: true,
      });
    });
  }
  if (scene.elements.has('bubbles') || scene.place === 'underwater') {
    scatterMarks(34, (x, y, near) => {
      const radius = 0.004 + 0.014 * near;
      dab(canvas, { x, y, radius, colour: [0.8, 0.95, 1], strength: 0.2, edge: 0.9, light: true });
      dab(canvas, {
        x: x - radius * 0.35,
        y: y - radius * 0.35,
        radius: radius * 0.28,
        colour: [1, 1, 1],
        strength: 0.8,
        edge: 0.4,
        light: true,
      });
    });
  }
};

/** Petals and leaves on the wind. */
export const blown: Layer = async (canvas, scene, detail) => {
  const petals =
    scene.elements.has('petals') ||
    (scene.style === 'anime' && scene.season === 'spring' && scene.ground === 'grass');
  const leaves = scene.elements.has('leaves') && scene.ground !== 'none';
  if (!petals && !leaves) return;
  const random = scene.streams('blown');
  let drawn = '';
  for (let index = 0; index < 44 * Math.sqrt(scene.aspect) * (0.4 + 0.6 * detail.abundance); index++) {
    const near = random() ** 2.5;
    const size = 5 + 15 * near;
    const hue = petals ? between(random, -8, 12) + 355 : between(random, 28, 85);
    const colour = css(
      lit(rgb(petals ? [0.86, 0.085, hue] : [0.64, 0.15, hue]), mix(scene.palette.light, [1, 1, 1], 0.35)),
    );
    const turn = (random() * 360).toFixed(0);
    const squash = between(random, 0.45, 1).toFixed(2);
    drawn += svg`<path transform="translate(${random() * scene.aspect * MILLI} ${random() * MILLI}) rotate(${turn}) scale(${size} ${size * Number(squash)})" d="${petals ? 'M0 -1C.8 -.9 .9 .4 0 1C-.9 .4 -.8 -.9 0 -1Z' : 'M0 -1.1C.7 -.5 .6 .4 0 1C-.6 .4 -.7 -.5 0 -1.1Z'}" fill="${colour}" opacity="${(0.92 - 0.25 * near).toFixed(2)}"/>`;
  }
  await overlay(canvas, repeated(drawn, placesOf(canvas, scene, { everywhere: true })));
};
