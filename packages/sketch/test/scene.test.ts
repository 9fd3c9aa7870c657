import { expect, it } from 'vitest';
import { hasRoad } from '../src/layers/road.ts';
import { sceneOf } from './support/sketch.ts';

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
  ['a rover on mars', { place: 'mars', ground: 'rock', water: false }],
  ['a kitchen', { place: 'table' }],
  ['a bowl of ramen', { place: 'table' }],
  ['a cup of coffee on the beach', { place: 'sea' }],
  ['portrait of a woman', { place: 'studio', framing: 'portrait' }],
  ['portrait of a woman in a forest', { place: 'forest', framing: 'portrait' }],
  ['🦄🌈', { place: 'meadow' }],
  ['a fox riding a whale', { place: 'sea' }],
  ['🐉🏔️', { place: 'mountains' }],
])('sets "%s" where it belongs', (prompt, expected) => {
  expect(sceneOf(prompt)).toMatchObject(expected);
});

it.each([
  ['two dragons', ['dragon', 'dragon']],
  ['a pair of owls', ['owl', 'owl']],
  ['drei Füchse', ['fox', 'fox', 'fox']],
  ['three wolves and a castle', ['wolf', 'wolf', 'wolf', 'castle']],
  ['twenty-seven cats, or seven', ['cat', 'cat']],
  ['🐱🐱🐱', ['cat', 'cat', 'cat']],
  ['two moons over a castle', ['castle']],
  ['a lone wolf', ['wolf']],
])('counts the actors of "%s"', (prompt, expected) => {
  expect(kinds(prompt).slice(0, expected.length)).toEqual(expected);
});

it.each([
  ['a village at night', ['cabin', 'cabin', 'cabin', 'cabin']],
  ['ein Dorf', ['cabin', 'cabin', 'cabin', 'cabin']],
  ['a rowing boat', ['rowboat']],
  ['a sailing ship', ['ship']],
  ['ein Segelschiff', ['ship']],
  ['a boat', ['boat']],
  ['a piano', ['piano']],
  ['Eule mit Hut', ['owl']],
  ['a kind of fox', ['fox']],
  ['a hut', ['cabin']],
])('shows for "%s" what it means', (prompt, expected) => {
  for (const seed of seeds) expect(kinds(prompt, seed)).toEqual(expected);
});

it('stands everybody before the shelves of a library', () => {
  for (const seed of seeds) {
    const { actors } = sceneOf('a woman and a piano in a library', '', seed);
    const floor = (kind: string) => actors.find((actor) => actor.kind === kind)?.y ?? 0;
    expect(floor('person')).toBeGreaterThan(floor('bookcase'));
    expect(floor('piano')).toBeGreaterThan(floor('bookcase'));
  }
});

it('floats boats, wherever they are', () => {
  for (const seed of seeds)
    for (const prompt of ['a boat on a meadow', 'a ship in the forest', 'a rowing boat in the desert'])
      expect(sceneOf(prompt, '', seed).water).toBe(true);
});

it('binds a colour to its thing, through what else is said of it', () => {
  for (const prompt of ['a blue sports car', 'a blue vintage car', 'a blue convertible electric car'])
    expect(sceneOf(prompt)).toMatchObject({ actors: [{ kind: 'car', coat: 'blue' }], colours: [] });
  expect(sceneOf('a blue sky and a car').actors[0]?.coat).toBeUndefined();
});

it('leads a road through a street, and through land where one is asked for', () => {
  for (const seed of seeds) {
    expect(hasRoad(sceneOf('a street at night', '', seed))).toBe(true);
    expect(hasRoad(sceneOf('a car on a road', '', seed))).toBe(true);
    expect(hasRoad(sceneOf('a car in the desert', '', seed))).toBe(false);
  }
});

it('shows several where a plural names no number', () => {
  for (const seed of seeds) {
    expect([2, 3]).toContain(kinds('whales', seed).length);
    expect(kinds('a whale', seed)).toEqual(['whale']);
  }
});

it('spreads several of a kind over the picture', () => {
  for (const seed of seeds) {
    const [left = 1, middle = 0, right = 0] = sceneOf('three cats', '', seed).actors.map(({ x }) => x);
    expect(middle - left).toBeGreaterThan(0.1);
    expect(right - middle).toBeGreaterThan(0.1);
  }
});

it.each([
  ['an astronaut riding a horse on mars', 'astronaut', 'horse'],
  ['a knight on a white unicorn', 'knight', 'unicorn'],
  ['ein Ritter reitet auf einem Drachen', 'knight', 'dragon'],
])('puts the rider of "%s" on the mount', (prompt, rider, mount) => {
  expect(sceneOf(prompt).actors).toMatchObject([{ kind: mount, rider: { kind: rider } }]);
});

it('leaves those beside each other who do not ride', () => {
  expect(kinds('a knight and a horse')).toEqual(['knight', 'horse']);
  expect(kinds('a knight on the beach with a horse')).toEqual(['knight', 'horse']);
  expect(kinds('a knight riding a castle')).toEqual(['knight', 'castle']);
});

it('draws a whale whole where it is under water, and cut by the sea where it is not', () => {
  expect(sceneOf('underwater scene with a whale').actors[0]?.pose).toBe('submerged');
  expect(sceneOf('a whale').actors[0]?.pose).toBeUndefined();
});

it.each([
  ['portrait of a woman with green eyes', 'person', { eyes: 'green' }],
  ['a girl with blue eyes and red hair', 'person', { eyes: 'blue', hair: 'red' }],
  ['Porträt einer blonden Frau mit grünen Augen', 'person', { eyes: 'green', hair: 'gold' }],
  ['portrait of a black cat with yellow eyes', 'cat', { eyes: 'yellow' }],
  ['portrait of Ada', 'person', {}],
])('comes close for "%s"', (prompt, kind, features) => {
  const scene = sceneOf(prompt);
  expect(scene.actors).toMatchObject([{ kind, pose: 'close' }]);
  expect(scene).toMatchObject({ framing: 'portrait', likeness: { features }, colours: [] });
});

it('reads age and crown out of the word for a person', () => {
  expect(sceneOf('portrait of a grandmother').likeness.traits).toEqual(['female', 'old']);
  expect(sceneOf('portrait of a queen').likeness.traits).toEqual(['female', 'royal']);
  expect(sceneOf('portrait of an old man with a beard', 'beard').likeness.traits).toEqual(['old', 'male']);
});

it('lays a table with what was asked for in front, and with nothing else', () => {
  for (const seed of seeds) {
    expect(kinds('a bowl of ramen', seed)).toEqual(['bowl']);
    const { actors } = sceneOf('ramen, a teapot and a cup', '', seed);
    expect(actors.map(({ kind }) => kind)).toEqual(['bowl', 'teapot', 'cup']);
    for (const { y } of actors.slice(1)) expect(y).toBeLessThan(actors[0]?.y ?? 0);
  }
});

it('lays a table that nothing is named for with what belongs there', () => {
  for (const seed of seeds) {
    expect(kinds('a kitchen', seed)).toHaveLength(3);
    expect(sceneOf('a still life', 'cup', seed).actors.map(({ kind }) => kind)).not.toContain('cup');
  }
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

it.each([
  ['a red fox', 'sunset', ['sunset']],
  ['a red fox, no sunset', '', ['sunset']],
  ['an owl', 'night', ['night']],
  ['a cosy cabin', 'golden hour', ['golden']],
])('chooses for "%s", and not "%s", no time that is refused', (prompt, negative, refused) => {
  const times = seeds.map((seed) => sceneOf(prompt, negative, seed).time);
  for (const time of times) expect(refused).not.toContain(time);
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
