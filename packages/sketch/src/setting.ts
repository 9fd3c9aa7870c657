import type { Element, Season, Time, Weather } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import { AIRLESS } from './placing.ts';
import type { Reading } from './prompt-reading.ts';
import { chance, pick, type Random } from './random.ts';

const WOODED: ReadonlySet<Place> = new Set<Place>(['forest', 'mountains', 'meadow', 'lake']);

/** The time that was asked for, or one that suits what else was. */
export function timeOf(
  asked: readonly Time[],
  wish: Reading,
  refused: Reading,
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
  const [only, ...others] = usualTimes(wish, subjects, place);
  const [allowed = only, ...rest] = [only, ...others].filter((time) => !refused.times.includes(time));
  return rest.length > 0 ? pick(random, [allowed, ...rest]) : allowed;
}

function usualTimes(
  wish: Reading,
  subjects: readonly SubjectKind[],
  place: Place,
): readonly [Time, ...Time[]] {
  if (subjects[0] === 'owl' || wish.moods.includes('spooky')) return ['night', 'dusk'];
  if (wish.moods.includes('electric') || wish.elements.includes('windows'))
    return ['dusk', 'night', 'sunset'];
  if (wish.weathers.includes('storm')) return ['dusk', 'day'];
  if (wish.moods.includes('cozy')) return ['golden', 'dusk'];
  if (place === 'underwater') return ['day'];
  return ['dawn', 'day', 'golden', 'sunset', 'golden', 'sunset', 'dusk', 'dawn'];
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
  known: { place: Place; time: Time; weather: Weather; season: Season; wooded: boolean },
  random: Random,
): Set<Element> {
  const { place, time, weather, season, wooded } = known;
  const dark = time === 'night' || (time === 'dusk' && chance(random, 0.6));
  const open = weather === 'clear' || weather === 'snow';
  const likely: [Element, boolean][] = [
    ['sun', time !== 'night' && !['storm', 'rain', 'fog'].includes(weather) && place !== 'moonscape'],
    ['moon', time === 'night' && (open || chance(random, 0.5)) && !AIRLESS.has(place)],
    ['stars', (dark && open) || place === 'space' || place === 'moonscape'],
    [
      'clouds',
      place !== 'moonscape' &&
        place !== 'mars' &&
        (weather !== 'clear' || (!wish.elements.includes('aurora') && chance(random, 0.75))),
    ],
    ['birds', time !== 'night' && weather !== 'storm' && !AIRLESS.has(place) && chance(random, 0.5)],
    ['trees', wooded || wish.elements.includes('bamboo')],
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
