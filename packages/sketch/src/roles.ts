import type { ColourName } from './lexicon/colours.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Trait } from './lexicon/traits.ts';
import type { Reading } from './prompt-reading.ts';
import { pick, type Random } from './random.ts';
import { riders } from './subjects/riders.ts';
import { SADDLES } from './subjects/saddles.ts';

export interface Role {
  kind: SubjectKind;
  coat: ColourName | undefined;
  rider: { kind: SubjectKind; coat: ColourName | undefined } | undefined;
  /** What is said of this one of several people. */
  traits?: readonly Trait[];
}

const MOST_ACTORS = 5;

/** What one drawing already shows several of, so that a plural asks for no more. */
const MANIFOLD: ReadonlySet<SubjectKind> = new Set<SubjectKind>([
  'fish',
  'camel',
  'mushroom',
  'crystal',
  'fruit',
]);

/** What stands on a table where the text asks for one and names nothing on it. */
const TABLEWARE: readonly SubjectKind[] = ['teapot', 'fruit', 'cup', 'vase', 'bowl'];

/** What belongs to a laid table that nothing was named for: there is no other subject that nobody asked for. */
export function guestsOf(place: Place, asked: readonly SubjectKind[], random: Random): SubjectKind[] {
  if (place !== 'table' || asked.length > 0) return [];
  return TABLEWARE.map((kind) => ({ kind, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ kind }) => kind);
}

/** Whether a text without a subject can only mean someone's face. */
export function impliesPerson({ features, framings, places, elements, things }: Reading): boolean {
  const strangers = things.filter(({ meaning, traits }) => !meaning && traits.length === 0);
  // 'Portrait of Ada', and not 'of a hamster'.
  if (!strangers.every(({ name, common }) => !common && /^\p{Lu}/u.test(name))) return false;
  return (
    (Object.keys(features).length > 0 && strangers.length === 0) ||
    (framings.includes('portrait') && places.length === 0 && elements.length === 0)
  );
}

/** Who of the subjects could ride on which; the mount decides where both are. */
function pairOf(subjects: readonly SubjectKind[]): { mount?: SubjectKind; rider?: SubjectKind } {
  const mount = subjects.find((kind) => SADDLES[kind]);
  const rider = subjects.find((kind) => kind !== mount && riders[kind]);
  return mount && rider ? { mount, rider } : {};
}

/** The subjects, a ridden one first. */
export function mountFirst(subjects: readonly SubjectKind[]): SubjectKind[] {
  const { mount } = pairOf(subjects);
  return mount ? [mount, ...subjects.filter((kind) => kind !== mount)] : [...subjects];
}

/** The subjects as often as the text wants each, a rider together with the mount. */
export function rolesOf(
  subjects: readonly SubjectKind[],
  { coats, counts, riding, people }: Pick<Reading, 'coats' | 'counts' | 'riding' | 'people'>,
  random: Random,
): Role[] {
  const { mount, rider } = riding ? pairOf(subjects) : {};
  const times = (kind: SubjectKind) => {
    const count = counts[kind] ?? 1;
    if (count !== 'many') return count;
    if (kind === 'cabin') return 4;
    return MANIFOLD.has(kind) ? 1 : pick(random, [2, 3, 3]);
  };
  return subjects
    .filter((kind) => kind !== rider)
    .flatMap((kind): Role[] => {
      if (kind === 'person' && people.length > 1)
        return people.map((traits) => ({ kind, coat: coats[kind], rider: undefined, traits }));
      const seated = kind === mount && rider ? { kind: rider, coat: coats[rider] } : undefined;
      const often = seated ? Math.max(times(kind), times(seated.kind)) : times(kind);
      return Array<Role>(often).fill({ kind, coat: coats[kind], rider: seated });
    })
    .slice(0, MOST_ACTORS);
}
