import { createHash } from 'node:crypto';
import { compose, mirrored } from './composition.ts';
import { framingOf } from './framing.ts';
import { HABITATS } from './habitat.ts';
import type { Style } from './lexicon/styles.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import { isReversed, notDrawn } from './not-drawn.ts';
import { createPalette } from './palette.ts';
import { AIRLESS, backdropOf, groundOf, placesOf, WET } from './placing.ts';
import { read } from './prompt-reading.ts';
import { chance, type Streams } from './random.ts';
import { guestsOf, impliesPerson, mountFirst, rolesOf } from './roles.ts';
import type { Scene, Setting } from './scene.ts';
import { elementsOf, seasonOf, timeOf, weatherOf } from './setting.ts';

const MAX_SUBJECTS = 3;

/** Decides the whole picture from its texts before anything is painted; the same streams give the same scene. */
export function createScene(
  text: { prompt: string; negativePrompt: string },
  frame: { aspect: number; style: Style },
  streams: Streams,
): Scene {
  const wish = read(text.prompt);
  const refused = read(`${text.negativePrompt.replace(/[,.;]/gu, ' ')} ${wish.refused.join(' ')}`);
  const random = streams('scene');
  const kept = <T extends string>(list: readonly T[], not: readonly T[]) =>
    list.filter((item) => !not.includes(item));

  const named = wish.subjects.length === 0 && impliesPerson(wish) ? (['person'] as const) : wish.subjects;
  const open = kept(named, refused.subjects).slice(0, MAX_SUBJECTS);
  const asked = wish.riding ? mountFirst(open) : open;
  const askedPlaces = kept(wish.places, refused.places);
  const places = placesOf(askedPlaces, asked, refused, wish, random);
  const place = places[0];
  const guests = kept(guestsOf(place, asked, streams('guests')), refused.subjects);
  const subjects = [...asked, ...guests].slice(0, MAX_SUBJECTS);
  const roles = rolesOf(subjects, wish, streams('roles'));
  const light = streams('light');
  const time = timeOf(kept(wish.times, refused.times), wish, refused, subjects, place, light);
  const season = seasonOf(kept(wish.seasons, refused.seasons), wish, refused, light);
  const weather = weatherOf(kept(wish.weathers, refused.weathers), wish, light);
  const wooded = place === 'forest' || chance(random, 0.7);
  const elements = elementsOf(wish, refused, { place, time, weather, season, wooded }, light);
  const moods = kept(wish.moods, refused.moods);
  const colours = kept(wish.colours, refused.colours);
  // What is known keeps its colours: a strange word does not make the sun of a landscape green.
  const hueShift = hueShiftOf(wish.unknown) * (place === 'abstract' ? 1 : 0.3);
  const palette = createPalette(
    { place, time, weather, season, moods, colours, turn: hueShift },
    streams('palette'),
  );
  const snowy =
    (weather === 'snow' || season === 'winter' || place === 'arctic') && !refused.weathers.includes('snow');
  const setting = {
    ...frame,
    place,
    backdrop: backdropOf(place, places, refused, random),
    ground: groundOf(place, places, snowy),
    water:
      !refused.elements.includes('water') &&
      (WET.has(place) ||
        (asked.some((kind) => HABITATS[kind].footing === 'water') && !AIRLESS.has(place)) ||
        (place === 'city' && !asked.some(standsOnGround)) ||
        (place === 'mountains' &&
          subjects.length === 0 &&
          !wish.elements.includes('road') &&
          chance(random, 0.5)) ||
        elements.has('water')),
    time,
    weather,
    season,
    moods,
    colours,
    elements,
    palette,
    framing: framingOf(wish, [...new Set(roles.map(({ kind }) => kind))], place, random),
    likeness: { features: wish.features, traits: kept(wish.traits, refused.traits) },
    streams,
  } satisfies Setting;
  const composed = { ...setting, ...compose(setting, roles, streams('composition')) };
  const scene = isReversed(wish, composed) ? mirrored(composed) : composed;
  return { ...scene, notDrawn: notDrawn(wish, scene) };
}

const standsOnGround = (kind: SubjectKind) => HABITATS[kind].footing === 'ground';

/** Words that the lexicon does not know shift all hues by up to 40 degrees, always in the same way. */
function hueShiftOf(unknown: readonly string[]): number {
  if (unknown.length === 0) return 0;
  const digest = createHash('sha256').update(unknown.join(' ')).digest();
  return (digest.readUInt16LE(0) / 65_535 - 0.5) * 2 * Math.min(40, 14 + unknown.length * 6);
}
