import { messageOf } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import type { Words } from '../words/words.ts';

/** How long one of them may take, in milliseconds, unless it says otherwise. */
const TIMEOUT_MS = 15_000;

/** How programs know it; people read it in their language. */
type CheckupName = keyof Words['doctor']['names'];

/** Something that usually breaks. */
export interface Checkup {
  name: CheckupName;
  /** How long it may take, in milliseconds. */
  timeoutMs?: number;
  /** What was found well. Rejects with a sentence that says what is wrong, and what mends it. */
  examine(signal: AbortSignal): Promise<string>;
}

export interface Diagnosis {
  name: CheckupName;
  isWell: boolean;
  /** What was found, and what mends it. */
  sentence: string;
}

/** All of them at once, each within its time and no longer than until `signal`. Never rejects. */
export const diagnose = (
  checkups: readonly Checkup[],
  options: { signal?: AbortSignal } = {},
): Promise<Diagnosis[]> =>
  Promise.all(
    checkups.map(async ({ name, timeoutMs = TIMEOUT_MS, examine }) => {
      try {
        return { name, isWell: true, sentence: await withTimeout(timeoutMs, examine, options) };
      } catch (error) {
        return { name, isWell: false, sentence: messageOf(error) };
      }
    }),
  );

/** A line for each. */
export const printed = (diagnoses: readonly Diagnosis[], { doctor }: Words): string =>
  diagnoses
    .map(
      ({ name, isWell, sentence }) =>
        `${isWell ? '✔' : '✖'} ${doctor.names[name]}: ${sentence.replace(/\s+/g, ' ')}\n`,
    )
    .join('');
