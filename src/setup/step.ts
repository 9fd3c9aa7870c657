import type { Ask } from './ask.ts';
import type { Settings } from './settings.ts';
import type { Words } from './words/words.ts';

/** What every step of set-up is given. */
export interface StepContext {
  settings: Settings;
  ask: Ask;
  words: Words;
}
