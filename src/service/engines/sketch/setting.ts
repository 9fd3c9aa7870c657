import { HABITATS } from './habitat.ts';
import type { Element, Framing, Season, Time, Weather } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import { chance, pick, type Random } from './random.ts';
import type { Reading } from './reading.ts';
import type { Scene } from './scene.ts';

/** Places with water in view. */
export const WET: ReadonlySet<Place> = new Set<Place>(['sea', 'lake', 'island', 'arctic']);

const WOODED: ReadonlySet<Place> = new Set<Place>(['forest', 'mountains', 'meadow', 'lake']);

const AIRLESS: ReadonlySet<Place> = new Set<Place>(['space', 'moonscape', 'underwater', 'abstract']);

/** Places that decide everything, before those that only lie behind. */
const RANK: readonly Place[] = [
  'underwater',
  'moonscape',
  'space',
  'abstract',
  'island',
  'sea',
  'lake',
  'arctic',
  'desert',
  'city',
  'meadow',
  'forest',
  'mountains',
];

/** The place of the picture first, then those that lie behind it; by lot where the text leaves it open, as all below. */
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
  const subject = subjects[0];
  if (wish.elements.includes('aurora')) return ['lake', 'mountains'];
  if (wish.elements.includes('petals') && !subject) return ['lake', 'mountains'];
  const homes = subject
    ? HABITATS[subject].places
    : (['mountains', 'lake', 'meadow', 'forest', 'sea', 'desert', 'city'] as const);
  const open = homes.filter((home) => !refused.places.includes(home));
  const [home = 'meadow', ...others] = open;
  return [pick(random, [home, ...others])];
}

/** The time that was asked for, or one that suits what else was. */
export function timeOf(
  asked: readonly Time[],
  wish: Reading,
  subjects: readonly SubjectKind[],
  place: Place,
  random: Random,
): Time {
  const first = asked.includes('golden') && asked[1] ? asked[1] : asked[0];
  if (first) return first;
  const nocturnal = ['stars', 'moon', 'aurora', 'fireflies'] as const;
  if (
    place === 'space' ||
    place === 'moonscape' ||
    nocturnal.some((element) => wish.elements.includes(element))
  )
    return 'night';
  if (subjects[0] === 'owl' || wish.moods.includes('spooky')) return pick(random, ['night', 'dusk']);
  if (wish.moods.includes('electric') || wish.elements.includes('windows'))
    return pick(random, ['dusk', 'night', 'sunset']);
  if (wish.weathers.includes('storm')) return pick(random, ['dusk', 'day']);
  if (wish.moods.includes('cozy')) return pick(random, ['golden', 'dusk']);
  if (place === 'underwater') return 'day';
  return pick(random, ['dawn', 'day', 'golden', 'sunset', 'golden', 'sunset', 'dusk', 'dawn']);
}

export function seasonOf(asked: readonly Season[], wish: Reading, refused: Reading, random: Random): Season {
  const winter = wish.weathers.includes('snow') && !refused.weathers.includes('snow');
  if (winter) return 'winter';
  if (asked[0]) return asked[0];
  if (wish.elements.includes('leaves')) return 'autumn';
  if (wish.elements.includes('petals')) return 'spring';
  const usual: readonly Season[] = ['summer', 'summer', 'spring', 'autumn'];
  const [first = 'summer', ...others] = usual.filter((season) => !refused.seasons.includes(season));
  return pick(random, [first, ...others]);
}

export function weatherOf(asked: readonly Weather[], wish: Reading, random: Random): Weather {
  const wettest = asked.find((weather) => weather === 'storm') ?? asked[0];
  if (wettest) return wettest;
  if (
    wish.times.includes('night') ||
    ['stars', 'aurora', 'moon'].some((sight) => wish.elements.some((element) => element === sight))
  )
    return 'clear';
  return pick(random, ['clear', 'clear', 'clear', 'cloudy']);
}

export function elementsOf(
  wish: Reading,
  refused: Reading,
  known: { place: Place; time: Time; weather: Weather; season: Season },
  random: Random,
): Set<Element> {
  const { place, time, weather, season } = known;
  const dark = time === 'night' || (time === 'dusk' && chance(random, 0.6));
  const open = weather === 'clear' || weather === 'snow';
  const likely: [Element, boolean][] = [
    ['sun', time !== 'night' && weather !== 'storm' && weather !== 'rain' && place !== 'moonscape'],
    ['moon', time === 'night' && (open || chance(random, 0.5)) && !AIRLESS.has(place)],
    ['stars', (dark && open) || place === 'space' || place === 'moonscape'],
    [
      'clouds',
      place !== 'moonscape' &&
        (weather !== 'clear' || (!wish.elements.includes('aurora') && chance(random, 0.75))),
    ],
    ['birds', time !== 'night' && weather !== 'storm' && !AIRLESS.has(place) && chance(random, 0.5)],
    ['trees', place === 'forest' || chance(random, 0.7)],
    ['flowers', season === 'spring' && chance(random, 0.6)],
    ['leaves', season === 'autumn' && weather === 'clear' && WOODED.has(place) && chance(random, 0.7)],
    ['fireflies', dark && (place === 'forest' || place === 'meadow') && weather === 'clear'],
    ['windows', true],
    ['grass', true],
  ];
  const elements = new Set<Element>(wish.elements);
  for (const [element, present] of likely) if (present) elements.add(element);
  for (const element of refused.elements) elements.delete(element);
  if (refused.subjects.includes('tree') || refused.places.includes('forest')) elements.delete('trees');
  if (refused.subjects.includes('flower')) elements.delete('flowers');
  if (refused.subjects.includes('bird')) elements.delete('birds');
  if (refused.weathers.includes('cloudy')) elements.delete('clouds');
  return elements;
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
    arctic: 'mountains',
    moonscape: 'hills',
    space: 'none',
    underwater: 'none',
    abstract: 'none',
  } as const satisfies Record<Place, Scene['backdrop']>;
  const behind = places
    .slice(1)
    .map((other) => closing[other])
    .find((other) => other !== 'none');
  const backdrop = place === 'city' || place === 'space' ? closing[place] : (behind ?? closing[place]);
  const gone =
    backdrop !== 'none' && refused.places.some((other) => closing[other] === backdrop || other === backdrop);
  return gone ? 'none' : backdrop;
}

export function groundOf(place: Place, places: readonly Place[], snowy: boolean): Scene['ground'] {
  if (place === 'space' || place === 'abstract' || place === 'underwater') return 'none';
  if (place === 'moonscape') return 'rock';
  if (place === 'desert') return 'sand';
  if (snowy) return 'snow';
  return place === 'island' || (place === 'sea' && !places.includes('mountains')) ? 'sand' : 'grass';
}

export function framingOf(wish: Reading, subjects: readonly SubjectKind[], random: Random): Framing {
  if (subjects.length === 0) return 'vista';
  const asked = wish.framings[0];
  if (asked) return asked;
  return subjects.length === 1
    ? pick(random, ['hero', 'hero', 'hero', 'hero', 'vista'])
    : pick(random, ['hero', 'vista']);
}
