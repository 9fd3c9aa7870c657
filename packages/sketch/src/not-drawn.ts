import type { Element } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { Trait } from './lexicon/traits.ts';
import type { Reading, Thing } from './prompt-reading.ts';
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

function shows(scene: Shown, { meaning, costumed, traits }: Thing): boolean {
  const { actors, elements } = scene;
  if (!meaning) return traits.length > 0 && traits.every((trait) => showsTrait(scene, trait));
  switch (meaning.group) {
    case 'subjects':
      if (costumed) return false;
      return (
        actors.some(({ kind, rider }) => kind === meaning.name || rider?.kind === meaning.name) ||
        (meaning.name === 'tree' && isOutdoors(scene) && elements.has('trees'))
      );
    case 'places':
      return showsPlace(scene, meaning.name);
    case 'elements':
      return showsElement(scene, meaning.name);
    default:
      return true;
  }
}

/** What only a face from near by shows. */
const WORN: ReadonlySet<Trait> = new Set<Trait>(['bearded', 'spectacled', 'royal']);

const showsTrait = ({ actors }: Shown, trait: Trait): boolean =>
  !WORN.has(trait) || actors.some(({ pose }) => pose === 'close');

const TREELESS: ReadonlySet<Place> = new Set<Place>([
  'moonscape',
  'mars',
  'arctic',
  'desert',
  'city',
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

function showsElement({ place, elements, light, water, ground }: Shown, element: Element): boolean {
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
