import type { State } from '../state/state.ts';

export function isEmoji(text: string): boolean {
  return (
    /^[\p{Emoji}\p{Emoji_Component}]{1,20}$/u.test(text) &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)
  );
}

/** The custom emojis that there are: those that applications of the world have. */
export const customEmojis = (state: State): ReadonlySet<string> =>
  new Set([...state.applications.values()].flatMap(({ emojis }) => emojis));
