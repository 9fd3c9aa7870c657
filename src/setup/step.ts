import type { Words } from '../operator/words/words.ts';
import type { Ask } from './ask.ts';
import type { Settings } from './settings.ts';

/** What every step of set-up is given. */
export interface StepContext {
  settings: Settings;
  ask: Ask;
  words: Words;
}
