import { messageOf } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import type { Words } from '../words/words.ts';

/** How long a checkup may take, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** On a busy disk a store is slow, and not broken: the doctor waits longer than the bot, which has callers. */
export const STORE_TIMEOUT_MS = 60_000;
const TIMEOUTS: Partial<Record<CheckupName, number>> = { store: STORE_TIMEOUT_MS, secret: STORE_TIMEOUT_MS };

/** How programs know it; people read it in their language. */
type CheckupName = keyof Words['doctor']['names'];

/**
 * What usually breaks, by its name: each resolves with what was found well, and rejects with a sentence that says what
 * is wrong, and what mends it.
 */
export type Checkups = Readonly<Partial<Record<CheckupName, (signal: AbortSignal) => Promise<string>>>>;

export interface Diagnosis {
  name: CheckupName;
  isWell: boolean;
  /** What was found, and what mends it. */
  sentence: string;
}

/**
 * All of them at once, each within its time and no longer than until `signal`. What they find is said in the language
 * of `said`. Never rejects.
 */
export const diagnose = (
  checkups: Checkups,
  { said }: Pick<Words, 'said'>,
  options: { signal?: AbortSignal } = {},
): Promise<Diagnosis[]> =>
  Promise.all(
    Object.entries(checkups).map(async ([key, examine]) => {
      // The keys of `checkups` are all of its type's.
      const name = key as CheckupName;
      try {
        const sentence = await withTimeout(TIMEOUTS[name] ?? TIMEOUT_MS, examine, options);
        return { name, isWell: true, sentence: said(sentence) };
      } catch (error) {
        return { name, isWell: false, sentence: said(messageOf(error)) };
      }
    }),
  );

export const printed = (diagnoses: readonly Diagnosis[], { doctor }: Words): string =>
  diagnoses
    .map(
      ({ name, isWell, sentence }) =>
        `${isWell ? '✔' : '✖'} ${doctor.names[name]}: ${sentence.replace(/\s+/g, ' ')}\n`,
    )
    .join('');
