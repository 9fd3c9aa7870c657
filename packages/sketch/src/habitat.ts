import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';

/** Where a kind of subject belongs. */
export interface Habitat {
  /** Where it is at home when the text names no place. */
  places: readonly [Place, ...Place[]];
  footing: 'ground' | 'water' | 'air';
  /** Height of the drawing when it is what the picture is about, in the picture's shorter side. */
  size: number;
  /** Buildings stand further back than beasts and people. */
  far?: boolean;
}

const ground = (size: number, ...places: [Place, ...Place[]]): Habitat => ({
  footing: 'ground',
  size,
  places,
});
const built = (size: number, ...places: [Place, ...Place[]]): Habitat => ({
  ...ground(size, ...places),
  far: true,
});
const water = (size: number, ...places: [Place, ...Place[]]): Habitat => ({ footing: 'water', size, places });
const air = (size: number, ...places: [Place, ...Place[]]): Habitat => ({ footing: 'air', size, places });

export const HABITATS: Record<SubjectKind, Habitat> = {
  fox: ground(0.52, 'forest'),
  wolf: ground(0.5, 'mountains', 'forest'),
  dog: ground(0.5, 'meadow'),
  cat: ground(0.5, 'meadow', 'city'),
  tiger: ground(0.5, 'forest', 'meadow'),
  bear: ground(0.52, 'forest', 'mountains'),
  rabbit: ground(0.45, 'meadow'),
  deer: ground(0.62, 'forest', 'meadow'),
  horse: ground(0.58, 'meadow', 'desert'),
  unicorn: ground(0.58, 'meadow'),
  camel: ground(0.5, 'desert'),
  elephant: ground(0.56, 'meadow', 'desert'),
  bird: ground(0.45, 'meadow', 'forest'),
  owl: ground(0.55, 'forest'),
  crane: ground(0.6, 'lake'),
  penguin: ground(0.5, 'arctic'),
  whale: water(0.6, 'sea'),
  fish: water(0.42, 'underwater'),
  turtle: water(0.45, 'underwater'),
  jellyfish: water(0.6, 'underwater'),
  butterfly: air(0.42, 'meadow'),
  dragon: air(0.62, 'mountains'),
  person: ground(0.48, 'mountains', 'meadow'),
  wizard: ground(0.52, 'forest', 'mountains'),
  knight: ground(0.52, 'mountains', 'meadow'),
  samurai: ground(0.52, 'meadow', 'forest'),
  astronaut: ground(0.55, 'moonscape'),
  robot: ground(0.58, 'city', 'meadow'),
  castle: built(0.62, 'mountains'),
  tower: built(0.58, 'mountains', 'meadow'),
  lighthouse: built(0.66, 'sea'),
  cabin: built(0.36, 'forest', 'mountains'),
  temple: built(0.56, 'mountains', 'lake'),
  church: built(0.54, 'meadow', 'mountains'),
  windmill: built(0.56, 'meadow'),
  boat: water(0.4, 'sea', 'lake'),
  ship: water(0.46, 'sea'),
  rowboat: water(0.26, 'lake', 'sea'),
  train: ground(0.3, 'mountains', 'meadow'),
  car: ground(0.28, 'desert', 'mountains'),
  rocket: air(0.6, 'moonscape', 'mountains'),
  balloon: air(0.5, 'mountains', 'meadow'),
  bicycle: ground(0.4, 'meadow'),
  bridge: built(0.42, 'lake'),
  tree: ground(0.7, 'meadow'),
  flower: ground(0.62, 'meadow'),
  mushroom: ground(0.45, 'forest'),
  crystal: ground(0.5, 'mountains', 'moonscape'),
  bowl: ground(0.42, 'table'),
  cup: ground(0.32, 'table'),
  fruit: ground(0.34, 'table'),
  vase: ground(0.6, 'table'),
  cake: ground(0.4, 'table'),
  pizza: ground(0.34, 'table'),
  teapot: ground(0.36, 'table'),
  book: ground(0.26, 'table'),
  bookcase: built(0.86, 'studio'),
  piano: ground(0.7, 'studio'),
  planet: air(0.6, 'space'),
};

/** How tall living things are, in metres, for those that are seen side by side. */
const METRES: Partial<Record<SubjectKind, number>> = {
  fox: 0.6,
  wolf: 0.95,
  dog: 0.65,
  cat: 0.45,
  tiger: 1.1,
  bear: 1.5,
  rabbit: 0.35,
  deer: 1.7,
  horse: 2.1,
  unicorn: 2.1,
  camel: 2.3,
  elephant: 3.2,
  bird: 0.25,
  owl: 0.5,
  crane: 1.2,
  penguin: 0.8,
  butterfly: 0.2,
  person: 1.75,
  wizard: 1.95,
  knight: 1.85,
  samurai: 1.85,
  astronaut: 1.9,
  robot: 1.9,
  train: 3.2,
  car: 1.5,
  bicycle: 1.15,
  bookcase: 2.6,
  piano: 2.1,
  tree: 5,
  flower: 0.7,
  mushroom: 0.4,
  crystal: 0.9,
};
/** What is small is still to be seen. */
const SOFTENED = 0.8;
const CHILD = 0.74;

/** One of several beings: what it is, and whether it is a child. */
export interface Being {
  kind: SubjectKind;
  child: boolean;
}

/**
 * The height of one among others, in the picture's shorter side: the tallest has its own, the others theirs beside
 * it. Undefined where it does not stand beside them: it is far away, or in water.
 */
export function sizeAmong(being: Being, all: readonly Being[]): number | undefined {
  const metres = ({ kind, child }: Being) => (METRES[kind] ?? 0) * (child ? CHILD : 1);
  const own = metres(being);
  const beside = all.filter((other) => metres(other) > 0);
  const [first, ...others] = beside;
  if (own === 0 || !first || beside.length < 2) return undefined;
  const tallest = others.reduce((most, other) => (metres(other) > metres(most) ? other : most), first);
  return HABITATS[tallest.kind].size * (own / metres(tallest)) ** SOFTENED;
}
