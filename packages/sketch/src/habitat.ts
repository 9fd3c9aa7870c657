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
  person: ground(0.42, 'mountains', 'meadow'),
  wizard: ground(0.52, 'forest', 'mountains'),
  knight: ground(0.52, 'mountains', 'meadow'),
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
  planet: air(0.6, 'space'),
};
