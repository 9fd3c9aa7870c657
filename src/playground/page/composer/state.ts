import type { Draft, Pill } from '../../command-draft.ts';

/** Where the caret is: the plain text, one option of a command, or behind its last option. */
export type Place = 'text' | 'more' | Pill;

export interface ComposerState {
  /** The plain message; begins with `/` while a command is looked for. */
  text: string;
  draft: Draft | null;
  place: Place;
  /** What is typed behind the last option, to find another one. */
  more: string;
  /** Line of the suggestions; -1 for none. */
  highlighted: number;
  /** Escape put the suggestions away until something is typed. */
  listClosed: boolean;
  /** `offline`: over once the playground is there again. */
  problem: { text: string; place: Place; offline: boolean } | null;
}

export const emptyComposer = (): ComposerState => ({
  text: '',
  draft: null,
  place: 'text',
  more: '',
  highlighted: 0,
  listClosed: false,
  problem: null,
});
