import type { Framing } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Reading } from './prompt-reading.ts';
import { pick, type Random } from './random.ts';
import { POSES } from './subjects/poses.ts';

/** Whether the text wants the first subject's face. */
export function closeUp(wish: Reading, subjects: readonly SubjectKind[]): boolean {
  const [subject] = subjects;
  const faced =
    subject === 'person' &&
    ((wish.features.eyes ?? wish.features.hair) !== undefined || wish.traits.includes('freckled'));
  return (
    subject !== undefined && POSES.close[subject] !== undefined && (faced || wish.framings[0] === 'portrait')
  );
}

/** How near the viewer stands. */
export function framingOf(
  wish: Reading,
  subjects: readonly SubjectKind[],
  place: Place,
  random: Random,
): Framing {
  if (subjects.length === 0) return 'vista';
  if (place === 'table') return 'hero';
  if (closeUp(wish, subjects)) return 'portrait';
  const [asked] = wish.framings;
  if (asked) return asked;
  return subjects.length === 1
    ? pick(random, ['hero', 'hero', 'hero', 'hero', 'vista'])
    : pick(random, ['hero', 'vista']);
}
