import { expect, it } from 'vitest';
import { notDrawn } from '../src/not-drawn.ts';
import { read } from '../src/prompt-reading.ts';
import type { Scene } from '../src/scene.ts';
import { pixels, sceneOf } from './support/sketch.ts';

const seeds = Array.from({ length: 12 }, (_, index) => index);
const missing = (prompt: string, negative = '') => sceneOf(prompt, negative).notDrawn;

it.each([
  ['a yeti'],
  ['zorblax quimfern'],
  ['a red ferrari at sunset'],
  ['portrait of a hamster'],
  ['a hamster with green eyes'],
  ['a lion'],
  ['an octopus, highly detailed, 8k'],
  ['ein trauriger Clownfisch-Automat'],
  ['calm'],
])('draws nobody for "%s", of which it knows no subject, but shapes', (prompt) => {
  for (const seed of seeds)
    expect(sceneOf(prompt, '', seed)).toMatchObject({ place: 'abstract', actors: [] });
});

it.each([['a mountain lake'], ['a quiet meadow in autumn'], ['a beautiful sunset'], ['the desert at noon']])(
  'adds nobody to "%s"',
  (prompt) => {
    for (const seed of seeds) {
      const { actors, place } = sceneOf(prompt, '', seed);
      expect(actors).toEqual([]);
      expect(place).not.toBe('abstract');
    }
  },
);

it.each([
  ['an old fisherman', ['male', 'old']],
  ['ein alter Fischer', ['male', 'old']],
  ['a waitress', ['female']],
])('draws "%s" as a person', (prompt, traits) => {
  const { actors, likeness } = sceneOf(prompt);
  expect(actors.map(({ kind }) => kind)).toEqual(['person']);
  expect([...likeness.traits].sort()).toEqual(traits);
});

it.each([
  ['logo for a coffee shop', ['cup']],
  ['a minimalist icon of a fox', ['fox']],
  ['a logo', []],
])('sets "%s" before a plain cloth', (prompt, kinds) => {
  const { actors, place } = sceneOf(prompt);
  expect(place).toBe('studio');
  expect(actors.map(({ kind }) => kind)).toEqual(kinds);
});

it('stands a girl and a small cat side by side on a roof', () => {
  for (const seed of seeds) {
    const { actors, place, ground } = sceneOf('a girl with a cat on a rooftop', '', seed);
    expect({ place, ground }).toEqual({ place: 'rooftop', ground: 'paving' });
    const [girl, cat] = actors;
    if (girl?.kind !== 'person' || cat?.kind !== 'cat') throw new Error('expected a girl and a cat');
    expect(girl.rider ?? cat.rider).toBeUndefined();
    expect(cat.size).toBeLessThan(girl.size * 0.6);
    expect(Math.abs(cat.x - girl.x)).toBeLessThan(0.45);
    expect(Math.abs(cat.y - girl.y)).toBeLessThan(0.05);
  }
});

it('draws each of several people with what is said of them', () => {
  const traits = (prompt: string) => sceneOf(prompt).actors.map((actor) => [...(actor.traits ?? [])].sort());
  expect(traits('an old man with a beard and a girl')).toEqual([
    ['bearded', 'male', 'old'],
    ['female', 'young'],
  ]);
  expect(traits('Oma und Opa')).toEqual([
    ['female', 'old'],
    ['male', 'old'],
  ]);
  expect(sceneOf('a young woman, a teacher').actors).toHaveLength(1);
});

it('leaves the pirate of a pirate ship away, and keeps ships on the water', () => {
  for (const seed of seeds) {
    const { actors, water } = sceneOf('a pirate ship', '', seed);
    expect(actors.map(({ kind }) => kind)).toEqual(['ship']);
    expect(water).toBe(true);
    expect(sceneOf('a man and a boat', '', seed).water).toBe(true);
  }
});

it.each([
  ['a robot barista', ['robot'], ['barista']],
  ['a girl astronaut', ['astronaut'], []],
  ['a baby dragon', ['dragon'], []],
  ['a knight and a girl', ['knight', 'person'], []],
])('draws "%s" as one for each', (prompt, kinds, names) => {
  const { actors, notDrawn } = sceneOf(prompt);
  expect(actors.map(({ kind }) => kind)).toEqual(kinds);
  expect(notDrawn).toEqual(names);
});

it.each([
  ['a red fox in the snow', []],
  ['a yeti in the snow', ['yeti']],
  ['an old fisherman mending nets in Hamburg', ['nets', 'Hamburg']],
  ['Ein kleines Mädchen spielt fröhlich mit einem Drachenboot im Regen', ['spielt', 'Drachenboot']],
  ['masterpiece, best quality, 8k, highly detailed, cinematic lighting', []],
  [
    'a beautiful photorealistic cat, by Greg Rutkowski, trending on artstation',
    ['photorealistic', 'Greg Rutkowski'],
  ],
  ['a jet ski and a Jet Ski', ['jet ski']],
  ['a cat without a collar', []],
  ['portrait of Ada', ['Ada']],
  ['a castle in space, in the forest', ['forest']],
  ['a pirate', ['pirate']],
  ['a woman with glasses in a meadow', ['glasses']],
  ['portrait of a woman with glasses', []],
  ['<lora:ink:0.8> a cat --ar 16:9', []],
  ['雪の中の赤い狐', []],
  ['🦊🦖', []],
  ['🦊🐱', []],
  ['portrait of a girl with freckles', []],
  ['a bowl of ramen with chopsticks', []],
  ['an owl on a branch under a starry sky', []],
  ['a castle with flags', []],
  ['a village at night', []],
  ['a dragon flying over a village', []],
  ['two samurai fighting', ['fighting']],
  ['zwei Samurai kämpfen', ['kämpfen']],
  ['a cat astronaut on the moon', ['cat astronaut']],
  ['a cat on a piano', ['on a piano']],
  ['a cat riding a castle', ['riding']],
  ['a wolf over a cabin', ['over a cabin']],
  ['a horse in front of a church', []],
  ['a fox riding a whale', []],
  ['a woman reading in a library', ['reading']],
  ['a library with books', []],
  ['a hot air balloon over a village', []],
  ['a wooden cabin with smoke', []],
  ['trees behind a rooftop', []],
  ['bamboo behind a rooftop', []],
  ['trees in the street', ['trees']],
  ['a road by the sea', ['road']],
  ['a road in the mountains', []],
  ['a neon street in the rain', []],
  ['a samurai with a katana in a bamboo forest', []],
  ['a grand piano', []],
  ['Eule mit Hut', ['Hut']],
  ['an owl with a hat', ['hat']],
  ['a flower in a vase', []],
  ['a cat under a wooden table', ['under a wooden table']],
  ['a cat on a table', []],
  ['two samurai fighting under a dragon over a village', ['fighting']],
  ['a dragon under a castle', ['under a castle']],
  ['a blue cat left of a red car', []],
  ['a cat in front of a car', ['in front of a car']],
  ['a cat next to a car', []],
  ['seven red apples', ['apples']],
  ['a bowl of fruit with an apple', []],
  ['five cats', []],
  ['seven cats', ['seven']],
  ['score_9, a cat', ['score']],
  ['100 cats', ['100']],
  ['two moons over a castle', ['two']],
  ['a black and white cat', ['black']],
  ['a burning house', ['burning']],
  ['a house on fire', ['fire']],
  ['a cat under a lantern', ['lantern']],
  ['a watercolor of a cat', ['watercolor']],
  ['oil painting of a cat', []],
  ['a black and white photo of a cat in Paris', ['photo', 'Paris']],
  ['a sad old man', ['sad']],
  ['eine alte Katze', ['alte']],
  ['an old cat', ['old']],
  ['an old wizard', []],
  ['a sleeping dog', ['sleeping']],
  ['portrait of a cat with glasses', ['glasses']],
])('tells what "%s" names and the picture does not show', (prompt, names) => {
  expect(missing(prompt)).toEqual(names);
});

it('looks for what kind of picture it is in the look that draws it', () => {
  const inTheLookOf = (style: Scene['style'], prompt: string) => sceneOf(prompt, '', 1, style).notDrawn;
  expect(inTheLookOf('photographic', 'a photo of a cat')).toEqual([]);
  expect(inTheLookOf('anime', 'anime cat, oil painting')).toEqual(['oil']);
});

it('lets the colour of what it does not draw colour nothing', () => {
  for (const prompt of ['a yellow hat', 'a cat with a yellow hat', 'a black and white cat'])
    expect(sceneOf(prompt).colours).toEqual([]);
});

it('stands one to the left or right of another as the text says', () => {
  for (const seed of seeds) {
    const lanes = (prompt: string) => sceneOf(prompt, '', seed).actors.map(({ x }) => x);
    const [left = 1, car = 0] = lanes('a cat left of a car');
    const [right = 0, house = 1] = lanes('eine Katze rechts von einem Haus');
    expect([left < car, right > house]).toEqual([true, true]);
  }
});

it('paints in black and white where that is said of the picture', async () => {
  const bytes = await pixels({ prompt: 'a red fox, black and white' });
  for (let at = 0; at < bytes.length; at += 3) expect(bytes[at]).toBe(bytes[at + 2]);
});

it('tells a fourth subject that has no room, and what the negative prompt took away', () => {
  expect(missing('a fox, a wolf, a cat and a dog')).toEqual(['dog']);
  expect(missing('a fox and a cat', 'cat')).toEqual(['cat']);
});

it('looks at no more of a very long text once it has eight to tell', () => {
  const scene = sceneOf('a fox');
  let looks = 0;
  const [fox] = read('a fox').things;
  if (!fox) throw new Error('expected a fox');
  const things = Array.from({ length: 10_000 }, (_, at) => ({
    ...fox,
    meaning: undefined,
    get name() {
      looks += 1;
      return `zorblax${at >> 1}`;
    },
  }));
  const told = notDrawn({ ...read('a fox'), things }, scene);
  expect(told).toEqual(Array.from({ length: 8 }, (_, at) => `zorblax${at}`));
  expect(looks).toBeLessThan(100);
});

it('tells a few words of any text, each cut to a length', () => {
  const long = Array.from({ length: 200 }, (_, index) => `zorb${'a'.repeat(index)}, `).join('');
  const told = missing(long);
  expect(told).toHaveLength(8);
  for (const name of missing(`${'x'.repeat(5_000)} and ${long}`))
    expect([...name].length).toBeLessThanOrEqual(40);
});

it.each([
  ['a quiet harbour', 'sea', 'harbour'],
  ['a volcano at night', 'mountains', 'volcano'],
  ['eine Küche', 'table', 'Küche'],
])('says of "%s", which it sets at the %s, that the %s is missing', (prompt, place, word) => {
  expect(sceneOf(prompt).place).toBe(place);
  expect(missing(prompt)).toEqual([word]);
});
