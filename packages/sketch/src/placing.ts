import { closeUp } from './framing.ts';
import { HABITATS } from './habitat.ts';
import type { Element } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Reading } from './prompt-reading.ts';
import { pick, type Random } from './random.ts';
import type { Scene } from './scene.ts';
import { POSES } from './subjects/poses.ts';

/** Places with water in view. */
export const WET: ReadonlySet<Place> = new Set<Place>(['sea', 'lake', 'island', 'arctic']);

/** What may be in a room as well; all else that is smaller than a place sets a text outdoors. */
const INDOORS_TOO: ReadonlySet<Element> = new Set<Element>(['fireflies', 'embers', 'bubbles', 'windows']);

/** Places without land and horizon. */
export const PLACELESS: ReadonlySet<Place> = new Set<Place>([
  'space',
  'underwater',
  'table',
  'studio',
  'abstract',
]);

/** Places with no living thing of their own, and none in the sky. */
export const AIRLESS: ReadonlySet<Place> = new Set<Place>(['moonscape', 'mars', ...PLACELESS]);

/** Places with land on which nothing grows. */
export const BARREN: ReadonlySet<Place> = new Set<Place>(['moonscape', 'mars', 'arctic', 'desert']);

/** Places that decide everything, before those that only lie behind. */
const RANK: readonly Place[] = [
  'underwater',
  'mars',
  'moonscape',
  'space',
  'abstract',
  'island',
  'sea',
  'lake',
  'arctic',
  'desert',
  'rooftop',
  'street',
  'city',
  'meadow',
  'forest',
  'mountains',
  'table',
  'studio',
];

/**
 * The place of the picture first, then those that lie behind it; by lot where the text leaves it open, as all below.
 */
export function placesOf(
  asked: readonly Place[],
  subjects: readonly SubjectKind[],
  refused: Reading,
  wish: Reading,
  random: Random,
): [Place, ...Place[]] {
  const ranked = RANK.filter((place) => asked.includes(place));
  const [first, ...rest] = ranked;
  if (first) return [first, ...rest];
  const subject = subjects.find((kind) => HABITATS[kind].footing === 'water') ?? subjects[0];
  if (wish.elements.includes('aurora')) return ['lake', 'mountains'];
  if (wish.elements.includes('petals') && !subject) return ['lake', 'mountains'];
  if (wish.framings.includes('emblem')) return ['studio'];
  const sitting = closeUp(wish, subjects) && subjects.every((kind) => POSES.close[kind]);
  if (sitting && wish.elements.length + wish.weathers.length === 0) return ['studio'];
  if (wish.elements.includes('bamboo')) return ['forest'];
  for (const room of ['table', 'studio'] as const)
    if (subjects.some((kind) => HABITATS[kind].places[0] === room)) return [room];
  if (!subject && !setsOutdoors(wish)) return ['abstract'];
  if (wish.elements.includes('road') && !subject) return [pick(random, ['meadow', 'mountains', 'desert'])];
  const homes = subject
    ? HABITATS[subject].places
    : (['mountains', 'lake', 'meadow', 'forest', 'sea', 'desert', 'city'] as const);
  const open = homes.filter((home) => !refused.places.includes(home));
  const [home = 'meadow', ...others] = open;
  return [pick(random, [home, ...others])];
}

/**
 * Whether a text without a place or a subject speaks of a landscape: of one, of what belongs to it, or of nothing but
 * its light.
 */
function setsOutdoors({ elements, framings, times, weathers, seasons, things }: Reading): boolean {
  if (framings.includes('vista') || elements.some((element) => !INDOORS_TOO.has(element))) return true;
  return times.length + weathers.length + seasons.length > 0 && things.every(({ meaning }) => meaning);
}

/** What closes the view; 'none' where the text refuses it. */
export function backdropOf(
  place: Place,
  places: readonly Place[],
  refused: Reading,
  random: Random,
): Scene['backdrop'] {
  const closing = {
    mountains: 'mountains',
    forest: 'forest',
    sea: 'none',
    island: 'none',
    lake: pick(random, ['mountains', 'mountains', 'forest']),
    desert: 'dunes',
    meadow: pick(random, ['hills', 'mountains', 'hills']),
    city: 'city',
    street: 'city',
    rooftop: 'city',
    arctic: 'mountains',
    moonscape: 'hills',
    mars: 'dunes',
    space: 'none',
    underwater: 'none',
    table: 'none',
    studio: 'none',
    abstract: 'none',
  } as const satisfies Record<Place, Scene['backdrop']>;
  const behind = places
    .slice(1)
    .map((other) => closing[other])
    .find((other) => other !== 'none');
  const backdrop =
    place === 'city' || place === 'street' || place === 'rooftop' || place === 'space'
      ? closing[place]
      : (behind ?? closing[place]);
  const gone =
    backdrop !== 'none' && refused.places.some((other) => closing[other] === backdrop || other === backdrop);
  return gone ? 'none' : backdrop;
}

export function groundOf(place: Place, places: readonly Place[], snowy: boolean): Scene['ground'] {
  if (PLACELESS.has(place)) return 'none';
  if (place === 'moonscape' || place === 'mars') return 'rock';
  if (place === 'desert') return 'sand';
  if (snowy) return 'snow';
  if (place === 'city' || place === 'street' || place === 'rooftop') return 'paving';
  return place === 'island' || (place === 'sea' && !places.includes('mountains')) ? 'sand' : 'grass';
}
