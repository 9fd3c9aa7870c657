import { onceEach } from '../log.ts';
import type { Words } from '../operator/words/words.ts';

/** Each line says that something is tried again, refused or lost. */
const IS_TRIED_AGAIN = /\b(trying again|tried again later|takes no drawing now|has lost a drawing)\b/i;

/** Where a log goes of which `say` hears why something takes so long. */
export const whatIsTriedAgain = (say: (sentence: string) => void, words: Words) =>
  onceEach((message) => {
    // A line of a log ends without a full stop.
    if (IS_TRIED_AGAIN.test(message)) say(words.said(message).replace(/[^.!?]$/, '$&.'));
  });
