import type { ChosenFile } from '../chosen-file.ts';
import type { CommandForm, OptionField } from './command-form.ts';

/** Where the caret is: the plain text, one option of a command, or behind its last option. */
export type Caret = 'text' | 'more' | OptionField;

export interface ComposerState {
  /** The plain message; begins with `/` while a command is searched. */
  text: string;
  /** Of the message. */
  files: readonly ChosenFile[];
  /** Ends when every file that was chosen is in `files`. */
  reading: Promise<void>;
  form: CommandForm | null;
  /** The command that was cancelled last, to have it back. */
  cancelled: CommandForm | null;
  caret: Caret;
  /** What is typed behind the last option, to find another one. */
  more: string;
  /** Index of the suggestion that Enter and Tab pick; -1 for none: Enter sends. */
  highlighted: number;
  /** Escape closed the suggestions until something is typed. */
  listClosed: boolean;
  /** `offline`: solved once the server can be reached again. */
  problem: { text: string; caret: Caret; offline: boolean } | null;
}

export const emptyComposer = (): ComposerState => ({
  text: '',
  files: [],
  reading: Promise.resolve(),
  form: null,
  cancelled: null,
  caret: 'text',
  more: '',
  highlighted: 0,
  listClosed: false,
  problem: null,
});
