import type { SubjectKind } from './subjects.ts';

/** What a drawing always has, though it is no subject of its own. */
const PART_WORDS: Partial<Record<SubjectKind, string>> = {
  bowl: 'chopsticks stäbchen essstäbchen baguettes palillos bacchette',
  fruit: 'apple apples pear grapes apfel äpfel birne',
  owl: 'branch twig perch ast zweig branche rama ramo',
  cabin: 'smoke chimney rauch schornstein',
  castle: 'battlements flag flags zinnen fahne fahnen',
  dragon: 'wings wing',
  ship: 'mast masts sails masten',
  boat: 'mast sails',
  rowboat: 'oar oars ruder',
  lighthouse: 'beam lichtstrahl',
  samurai: 'katana sword armor armour helmet schwert rüstung helm',
  knight: 'sword shield armor armour helmet schwert schild rüstung helm',
  car: 'wheel wheels räder',
  bicycle: 'wheel wheels räder',
  train: 'smoke steam wheels rauch dampf',
};

/** The subjects in whose drawing this word is seen. */
export const drawnWith = (word: string): SubjectKind[] =>
  // Object.entries forgets that the keys are the table's own names.
  (Object.entries(PART_WORDS) as [SubjectKind, string][])
    .filter(([, words]) => words.split(' ').includes(word))
    .map(([kind]) => kind);
