import { HABITATS } from './habitat.ts';
import { hasRoad } from './layers/road.ts';
import { AFLOAT_WORDS, AIRBORNE_WORDS } from './lexicon/actions.ts';
import { type Element, MORE_THAN_EMBERS } from './lexicon/conditions.ts';
import { drawnWith } from './lexicon/parts.ts';
import { MORE_THAN_A_PLACE, type Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Trait } from './lexicon/traits.ts';
import { BARREN, PLACELESS } from './placing.ts';
import type { Claim, Reading, Thing } from './prompt-reading.ts';
import type { Actor, Scene } from './scene.ts';

/** A scene before it is known what it lacks. */
type Shown = Omit<Scene, 'notDrawn'>;

/** How many are told, and how long each may be. */
const MOST_TOLD = 8;
const LONGEST = 40;

/** What a text names and the scene does not show, as it is written there, in the order of the text. */
export function notDrawn({ things }: Reading, scene: Shown): string[] {
  const told = new Map<string, string>();
  for (const thing of things) {
    if (told.size === MOST_TOLD) break;
    if (shows(scene, thing)) continue;
    const name = cut(thing.name);
    const alike = name.toLowerCase();
    if (!told.has(alike)) told.set(alike, name);
  }
  return [...told.values()];
}

const cut = (name: string): string => {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name;
};

function shows(scene: Shown, { name, meaning, costumed, traits }: Thing): boolean {
  const { actors, elements, style } = scene;
  if (UNSHOWN.has(name.toLowerCase())) return false;
  if (!meaning) {
    const whole = drawnWith(name.toLowerCase());
    if (actors.some(({ kind, pose }) => whole.includes(kind) && pose === undefined)) return true;
    return traits.length > 0 && traits.every((trait) => showsTrait(scene, trait));
  }
  switch (meaning.group) {
    case 'subjects':
      if (costumed) return false;
      return (
        actors.some(({ kind, rider }) => kind === meaning.name || rider?.kind === meaning.name) ||
        (meaning.name === 'book' && actors.some(({ kind }) => kind === 'bookcase')) ||
        (meaning.name === 'tree' && isOutdoors(scene) && elements.has('trees'))
      );
    case 'places':
      return showsPlace(scene, meaning.name);
    case 'elements':
      return showsElement(scene, meaning.name);
    case 'actions':
      return showsAction(scene, meaning.name);
    case 'relations':
      return showsRelation(scene, meaning);
    case 'counts':
      return showsCount(scene, meaning);
    case 'styles':
      return style === meaning.name;
    default:
      return true;
  }
}

const UNSHOWN: ReadonlySet<string> = new Set(`${MORE_THAN_A_PLACE} ${MORE_THAN_EMBERS}`.split(' '));
const AIRBORNE: ReadonlySet<string> = new Set(AIRBORNE_WORDS.split(' '));
const AFLOAT: ReadonlySet<string> = new Set(AFLOAT_WORDS.split(' '));

function showsAction({ actors, place }: Shown, action: string): boolean {
  const footings = actors.map(({ kind }) => HABITATS[kind].footing);
  if (action === 'riding') return actors.some(({ rider }) => rider !== undefined);
  if (AIRBORNE.has(action)) return footings.includes('air');
  return AFLOAT.has(action) && (place === 'underwater' || footings.includes('water'));
}

/** Who is missing altogether is told already. */
function showsCount({ actors }: Shown, { name, of }: Extract<Claim, { group: 'counts' }>): boolean {
  const seen = actors.filter(({ kind, rider }) => kind === of || rider?.kind === of).length;
  return SINGLE.has(of) ? name < 2 : seen === 0 || seen >= name;
}
const SINGLE: ReadonlySet<string> = new Set(['moon', 'sun', 'rainbow']);

/** Whether left and right are exchanged: the text asks for the other side. */
export const isReversed = ({ things }: Reading, scene: Shown): boolean =>
  things.some(
    ({ meaning }) =>
      meaning?.group === 'relations' && /^(left|right)$/.test(meaning.name) && !showsRelation(scene, meaning),
  );

/** What is drawn as a place, and is in the picture's way all the same. */
const SOLID: ReadonlySet<string> = new Set<Place>(['table', 'rooftop', 'sea', 'lake']);
/** What one is under without being below it. */
const ROOFS: ReadonlySet<string> = new Set<SubjectKind>(['tree', 'bridge']);

/** Whether one is seen to stand to another, or to a place, as the text says. */
function showsRelation({ actors }: Shown, { name, of, to }: Extract<Claim, { group: 'relations' }>): boolean {
  if (SOLID.has(to)) return !['under', 'behind', 'left', 'right'].includes(name);
  // Who is missing is told already. Shelves are the room that one is in, and a vase is drawn with flowers.
  if (ridesOn(actors, of, to) || to === 'bookcase' || to === 'vase') return true;
  const one = actors.find(({ kind }) => kind === of);
  const other = actors.find(({ kind }) => kind === to);
  if (!one || !other) return true;
  const apart = Math.abs(one.x - other.x);
  const reach = (one.size + other.size) / 2;
  switch (name) {
    case 'over':
      return isOver(one, other);
    case 'under':
      return isOver(other, one) || (ROOFS.has(to) && apart < other.size * 0.6);
    case 'left':
      return one.x < other.x;
    case 'right':
      return one.x > other.x;
    case 'before':
    case 'behind':
      return apart < reach && one.y > other.y === (name === 'before');
    case 'beside':
      return apart < reach * 1.4 && Math.abs(one.y - other.y) < reach;
    default:
      return false;
  }
}

const isOver = (one: Actor, other: Actor): boolean => one.y < other.y - other.size / 2;

const ridesOn = (actors: Shown['actors'], of: SubjectKind, to: string): boolean =>
  actors.some(({ kind, rider }) => kind === to && rider?.kind === of);

/** What only a face from near by shows. */
const WORN: ReadonlySet<Trait> = new Set<Trait>(['bearded', 'spectacled', 'royal', 'freckled']);

const showsTrait = ({ actors }: Shown, trait: Trait): boolean =>
  actors.some(
    ({ kind, pose }) =>
      (kind === 'person' && (pose === 'close' || !WORN.has(trait))) || (kind === 'wizard' && trait === 'old'),
  );

const TREELESS: ReadonlySet<Place> = new Set<Place>([...BARREN, 'city', 'street', 'sea']);
const isOutdoors = ({ place }: Shown) => !PLACELESS.has(place);

function showsPlace(scene: Shown, place: Place): boolean {
  if (scene.place === place || scene.backdrop === place) return true;
  switch (place) {
    case 'sea':
    case 'lake':
      return scene.water && isOutdoors(scene);
    case 'meadow':
      return scene.backdrop === 'hills' || scene.ground === 'grass';
    case 'desert':
      return scene.backdrop === 'dunes';
    case 'city':
      return scene.backdrop === 'city';
    case 'arctic':
      return scene.ground === 'snow';
    // A room of plain cloth, or shapes: nothing that one would miss.
    case 'studio':
    case 'abstract':
      return true;
    default:
      return false;
  }
}

function showsElement(scene: Shown, element: Element): boolean {
  const { place, elements, light, water, ground } = scene;
  if (!elements.has(element)) return element === 'sun' && light?.kind === 'sun';
  const outdoors = isOutdoors(scene);
  switch (element) {
    case 'fireflies':
    case 'embers':
    case 'bubbles':
      return true;
    case 'stars':
      return outdoors || place === 'space';
    case 'moon':
      return (outdoors && light?.kind === 'moon') || place === 'moonscape';
    case 'sun':
      return outdoors && light?.kind === 'sun';
    case 'petals':
      return outdoors || place === 'abstract';
    case 'water':
      return water || place === 'underwater';
    case 'road':
      return outdoors && hasRoad(scene);
    case 'bamboo':
    case 'trees':
      return outdoors && !TREELESS.has(place);
    case 'leaves':
    case 'grass':
    case 'flowers':
      return outdoors && ground === 'grass';
    default:
      return outdoors;
  }
}
