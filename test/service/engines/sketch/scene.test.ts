import { expect, it } from 'vitest';
import { sceneOf } from '../../../support/sketch.ts';

const seeds = Array.from({ length: 24 }, (_, index) => index);
const kinds = (prompt: string, seed = 1) => sceneOf(prompt, '', seed).actors.map(({ kind }) => kind);

it.each([
  ['a red fox in the snow'],
  ['ein roter Fuchs im Schnee'],
  ['un renard rouge dans la neige'],
  ['雪の中の赤い狐'],
])('reads a red fox in the snow out of "%s"', (prompt) => {
  for (const seed of seeds) {
    const scene = sceneOf(prompt, '', seed);
    expect(scene.actors.map(({ kind }) => kind)).toEqual(['fox']);
    expect(scene).toMatchObject({ weather: 'snow', season: 'winter', ground: 'snow' });
  }
});

it('gives a colour to the subject that it stands before, and otherwise to the picture', () => {
  expect(sceneOf('a blue owl').actors[0]).toMatchObject({ kind: 'owl', coat: 'blue' });
  expect(sceneOf('a blue owl').colours).toEqual([]);
  expect(sceneOf('abstract waves of blue and gold').colours).toEqual(['blue', 'gold']);
});

it.each([
  ['a lighthouse at night in a storm', { place: 'sea', time: 'night', weather: 'storm' }],
  ['a city skyline at sunset', { place: 'city', backdrop: 'city', time: 'sunset' }],
  ['a quiet lake in the mountains, misty morning', { place: 'lake', backdrop: 'mountains', water: true }],
  ['an astronaut on the moon', { place: 'moonscape', time: 'night', ground: 'rock', water: false }],
  ['desert caravan at noon', { place: 'desert', time: 'day', ground: 'sand' }],
  ['a coral reef', { place: 'underwater' }],
])('sets "%s" where it belongs', (prompt, expected) => {
  expect(sceneOf(prompt)).toMatchObject(expected);
});

it('shows every subject of a prompt', () => {
  expect(kinds('a dragon over a castle')).toEqual(['dragon', 'castle']);
  expect(kinds('a lake in the mountains')).toEqual([]);
  expect(kinds('').length).toBeLessThanOrEqual(1);
});

it.each([
  ['stars', 'a meadow at night', (scene: ReturnType<typeof sceneOf>) => scene.elements.has('stars')],
  ['clouds', 'a cloudy meadow', (scene: ReturnType<typeof sceneOf>) => scene.elements.has('clouds')],
  ['trees', 'a forest', (scene: ReturnType<typeof sceneOf>) => scene.elements.has('trees')],
  ['moon', 'a lake at night, moonlit', (scene: ReturnType<typeof sceneOf>) => scene.light?.kind === 'moon'],
  [
    'mountains',
    'a castle in the mountains',
    (scene: ReturnType<typeof sceneOf>) => scene.backdrop === 'mountains',
  ],
  [
    'castle',
    'a dragon over a castle',
    (scene: ReturnType<typeof sceneOf>) => scene.actors.some(({ kind }) => kind === 'castle'),
  ],
  [
    'snow',
    'a fox in the snow',
    (scene: ReturnType<typeof sceneOf>) => scene.ground === 'snow' || scene.weather === 'snow',
  ],
  ['water', 'a lake', (scene: ReturnType<typeof sceneOf>) => scene.water],
])('leaves out %s where the negative prompt names them', (word, prompt, present) => {
  expect(seeds.some((seed) => present(sceneOf(prompt, '', seed)))).toBe(true);
  expect(seeds.some((seed) => present(sceneOf(prompt, word, seed)))).toBe(false);
});

it('takes "without" in the prompt for a negative prompt', () => {
  for (const seed of seeds)
    expect(sceneOf('a night sky without stars', '', seed).elements.has('stars')).toBe(false);
});

it('keeps its subjects inside the picture', () => {
  for (const seed of seeds) {
    for (const { x, y } of sceneOf('a knight, a dragon and a castle', '', seed).actors) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(1);
      expect(y).toBeGreaterThan(0.1);
      expect(y).toBeLessThan(1);
    }
  }
});

it('turns all hues by a word without a meaning, the same way for each seed', () => {
  const plain = sceneOf('a lake at sunset').palette.zenith;
  expect(sceneOf('a zorblax lake at sunset').palette.zenith).not.toEqual(plain);
});
