import type { Meaning } from './lexicon/lexicon.ts';
import type { Trait } from './lexicon/traits.ts';

export interface Saying {
  word: string;
  /** Links others and says nothing itself. */
  filler: boolean;
  traits: readonly Trait[];
  meaning: Meaning | undefined;
}

/** Links that part one person from the next; 'of' and the like do not: 'a portrait of a man, a fisherman'. */
const PARTING = new Set('and with und mit et avec y con e'.split(' '));
/** Said after the person whom it is said of: 'a man with a beard'. */
const WORN: ReadonlySet<Trait> = new Set<Trait>(['bearded', 'spectacled']);

/**
 * What is said of each person, where a text names several: 'an old man and a girl'. Empty where it names at most one.
 */
export function peopleOf(sayings: readonly Saying[]): Trait[][] {
  const people: Set<Trait>[] = [];
  let waiting: Trait[] = [];
  let parted = false;
  for (const { word, filler, traits, meaning } of sayings) {
    if (PARTING.has(word)) parted = true;
    if (filler) continue;
    const last = people.at(-1);
    if (meaning?.group === 'subjects' && meaning.name === 'person') {
      if (!last || parted) people.push(new Set([...waiting, ...traits]));
      else for (const trait of [...waiting, ...traits]) last.add(trait);
      waiting = [];
    } else if (last && traits.some((trait) => WORN.has(trait))) {
      for (const trait of traits) last.add(trait);
    } else waiting.push(...traits);
    if (meaning && ['subjects', 'features'].includes(meaning.group)) parted = false;
  }
  const last = people.at(-1);
  if (last) for (const trait of waiting) last.add(trait);
  return people.length > 1 ? people.map((traits) => [...traits]) : [];
}
