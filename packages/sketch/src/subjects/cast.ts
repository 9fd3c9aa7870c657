import type { SubjectKind } from '../lexicon/subjects.ts';
import { bird, butterfly, crane, owl } from './birds.ts';
import { bridge } from './bridge.ts';
import { cabin, church, lighthouse, temple, windmill } from './buildings.ts';
import { dog, fox, wolf } from './canines.ts';
import { castle, tower } from './castles.ts';
import { cat, tiger } from './cats.ts';
import { dragon } from './dragon.ts';
import type { Draw } from './figure.ts';
import { bowl, cup, fruit, pizza } from './food.ts';
import { crystal, flower, mushroom, tree } from './growth.ts';
import { camel, deer, elephant } from './hoofed.ts';
import { horse, unicorn } from './horses.ts';
import { astronaut, knight, person, robot, samurai, wizard } from './people.ts';
import { planet } from './planet.ts';
import { book, bookcase, piano } from './reading-room.ts';
import { bear, penguin, rabbit } from './round-beasts.ts';
import { fish, jellyfish, turtle } from './sea-life.ts';
import { balloon, bicycle, boat, car, rocket, rowboat, ship, train } from './vehicles.ts';
import { cake, teapot, vase } from './vessels.ts';
import { whale } from './whale.ts';

export const CAST: Record<SubjectKind, Draw> = {
  fox,
  wolf,
  dog,
  cat,
  tiger,
  bear,
  rabbit,
  deer,
  horse,
  unicorn,
  camel,
  elephant,
  bird,
  owl,
  crane,
  penguin,
  whale,
  fish,
  turtle,
  jellyfish,
  butterfly,
  dragon,
  person,
  wizard,
  knight,
  samurai,
  astronaut,
  robot,
  castle,
  tower,
  lighthouse,
  cabin,
  temple,
  church,
  windmill,
  bridge,
  boat,
  ship,
  rowboat,
  train,
  car,
  rocket,
  balloon,
  bicycle,
  tree,
  flower,
  mushroom,
  crystal,
  bowl,
  cup,
  fruit,
  vase,
  cake,
  pizza,
  teapot,
  book,
  bookcase,
  piano,
  planet,
};
