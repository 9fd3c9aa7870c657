import { expect, it } from 'vitest';
import { css, rgb } from '../src/colour.ts';
import { COLOURS } from '../src/lexicon/colours.ts';
import { figureOf } from '../src/subjects/playing.ts';
import { sceneOf } from './support/sketch.ts';

function drawn(prompt: string, seed = 1): string {
  const scene = sceneOf(prompt, '', seed);
  return scene.actors.map((actor) => figureOf(scene, actor).body).join('');
}

it.each(['woman', 'old man', 'cat'])('gives a %s the eyes that were asked for', (who) => {
  for (const colour of ['green', 'blue', 'purple'] as const) {
    expect(drawn(`portrait of a ${who} with ${colour} eyes`)).toContain(css(rgb(COLOURS[colour])));
    expect(drawn(`portrait of a ${who}`)).not.toContain(css(rgb(COLOURS[colour])));
  }
});

it('draws each seed a face of its own, and the same seed the same', () => {
  const faces = [1, 2, 3, 4].map((seed) => drawn('portrait of a man', seed));
  expect(new Set(faces).size).toBe(4);
  expect(drawn('portrait of a man', 1)).toBe(faces[0]);
});

it('draws a rider together with the mount', () => {
  expect(drawn('a knight riding a horse').length).toBeGreaterThan(drawn('a horse').length * 1.5);
});
