import { HABITATS } from './habitat.ts';
import { hasRoad } from './layers/road.ts';
import { AFLOAT_WORDS, AIRBORNE_WORDS } from './lexicon/actions.ts';
import type { Element } from './lexicon/conditions.ts';
import { drawnWith } from './lexicon/parts.ts';
import { MORE_THAN_A_PLACE, type Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Trait } from './lexicon/traits.ts';
import type { Claim, Reading, Thing } from './prompt-reading.ts';
import type { Scene } from './scene.ts';

/** A scene before it is known what it lacks. */
type Shown = Omit<Scene, 'notDrawn'>;

/** How many are told, and how long each may be. */
const MOST_TOLD = 8;
const LONGEST = 40;

/** What a text names and the scene does not show, as it is written there, in the order of the text. */
export function notDrawn({ things }: Reading, scene: Shown): string[] {
  const missing = things.filter((thing) => !shows(scene, thing)).map(({ name }) => cut(name));
  const seen = new Set<string>();
  const once = missing.filter((name) => {
    const known = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return !known;
  });
  return once.slice(0, MOST_TOLD);
}

const cut = (name: string): string => {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name;
};

function shows(scene: Shown, { name, meaning, costumed, traits }: Thing): boolean {
  const { actors, elements } = scene;
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
      return !UNSHOWN.has(name.toLowerCase()) && showsPlace(scene, meaning.name);
    case 'elements':
      return showsElement(scene, meaning.name);
    case 'actions':
      return showsAction(scene, meaning.name);
    case 'relations':
      return showsRelation(scene, meaning);
    default:
      return true;
  }
}

const UNSHOWN: ReadonlySet<string> = new Set(MORE_THAN_A_PLACE.split(' '));
const AIRBORNE: ReadonlySet<string> = new Set(AIRBORNE_WORDS.split(' '));
const AFLOAT: ReadonlySet<string> = new Set(AFLOAT_WORDS.split(' '));

function showsAction({ actors, place }: Shown, action: string): boolean {
  const footings = actors.map(({ kind }) => HABITATS[kind].footing);
  if (action === 'riding') return actors.some(({ rider }) => rider !== undefined);
  if (AIRBORNE.has(action)) return footings.includes('air');
  return AFLOAT.has(action) && (place === 'underwater' || footings.includes('water'));
}

/** Whether one is seen to be on, over, under or in another. */
function showsRelation({ actors }: Shown, { name, of, to }: Extract<Claim, { group: 'relations' }>): boolean {
  // Who is missing is told already. Shelves are the room that one is in, and a vase is drawn with flowers.
  if (ridesOn(actors, of, to) || to === 'bookcase' || to === 'vase') return true;
  const one = actors.find(({ kind }) => kind === of);
  const other = actors.find(({ kind }) => kind === to);
  if (!one || !other) return true;
  if (name === 'over') return one.y < other.y - other.size / 2;
  return name === 'under' && Math.abs(one.x - other.x) < other.size * 0.6;
}

const ridesOn = (actors: Shown['actors'], of: SubjectKind, to: SubjectKind): boolean =>
  actors.some(({ kind, rider }) => kind === to && rider?.kind === of);

/** What only a face from near by shows. */
const WORN: ReadonlySet<Trait> = new Set<Trait>(['bearded', 'spectacled', 'royal', 'freckled']);

const showsTrait = ({ actors }: Shown, trait: Trait): boolean =>
  !WORN.has(trait) || actors.some(({ pose }) => pose === 'close');

const TREELESS: ReadonlySet<Place> = new Set<Place>([
  'moonscape',
  'mars',
  'arctic',
  'desert',
  'city',
  'street',
  'rooftop',
  'sea',
]);
const INDOORS: ReadonlySet<Place> = new Set<Place>(['space', 'underwater', 'table', 'studio', 'abstract']);
const isOutdoors = ({ place }: Shown) => !INDOORS.has(place);

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
  const outdoors = !INDOORS.has(place);
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
