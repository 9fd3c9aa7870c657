import { ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import type { ChosenFile } from '../chosen-file.ts';
import { readChosenFile, typeProblem } from '../file-picking.ts';
import type { View } from '../view.ts';
import { type CommandForm, type OptionField, openField } from './command-form.ts';
import type { Caret, ComposerState } from './composer-state.ts';

/** Source: 'Message', Create Message: how many files a message has at most. */
const MAX_FILES = 10;

/** The option that a file goes into: the first one for files without a value, else the last. */
function fieldForFile(form: CommandForm): OptionField | undefined {
  const options = form.command.options.filter(({ type }) => type === Option.Attachment);
  const isFilled = (option: (typeof options)[number]) =>
    form.fields.some((field) => field.option === option && field.text !== '');
  const option = options.find((one) => !isFilled(one)) ?? options.at(-1);
  return option && openField(form, option);
}

/** The files of the composer: those of a command stand in its options, those of a message above it. */
export function createComposerFiles(options: {
  /** Of the open channel. */
  draft(): ComposerState;
  view: View;
  moveCaret(caret: Caret): void;
  nextField(field: OptionField): Caret;
  redraw(): void;
}) {
  const { draft, view, moveCaret, nextField, redraw } = options;

  function complain(text: string, state = draft()): void {
    state.problem = { text, caret: state.caret, offline: false };
    redraw();
  }

  function choose(field: OptionField, file: File): void {
    const { option } = field;
    const state = draft();
    const problem = typeProblem(view, file, 'file_types' in option ? option.file_types : []);
    if (problem) {
      complain(problem);
      return;
    }
    const reading: Promise<void> = readChosenFile(file).then(
      (chosen) => {
        if (field.reading !== reading) return;
        Object.assign(field, { file: chosen, picked: chosen.upload });
        redraw();
      },
      () => {
        if (field.reading !== reading) return;
        field.text = '';
        complain(view.words.files.unreadable(file.name), state);
      },
    );
    Object.assign(field, { text: file.name, picked: null, file: null, reading });
    state.problem = null;
    moveCaret(nextField(field));
  }

  /** Files for the message that is being written. */
  function attach(files: readonly File[]): void {
    const state = draft();
    state.problem = null;
    state.reading = state.reading.then(async () => {
      for (const file of files) {
        if (state.files.length === MAX_FILES) {
          complain(view.words.files.tooMany(MAX_FILES), state);
          return;
        }
        const chosen = await readChosenFile(file).catch(() => null);
        if (chosen) state.files = [...state.files, chosen];
        else complain(view.words.files.unreadable(file.name), state);
      }
      redraw();
    });
    moveCaret('text');
  }

  return {
    choose,

    /** Files that were chosen beside the command, dropped or pasted. */
    take(files: readonly File[]): void {
      const { form } = draft();
      if (!form) {
        attach(files);
        return;
      }
      for (const file of files) {
        const field = fieldForFile(form);
        if (field) choose(field, file);
        else complain(view.words.composer.takesNoFile(form.command.path));
      }
    },

    remove(file: ChosenFile): void {
      const state = draft();
      state.files = state.files.filter((other) => other !== file);
      moveCaret('text');
    },

    /** The first file that was attached before the command began is what the command is given. */
    handOver(form: CommandForm): void {
      const state = draft();
      const [file, ...others] = state.files;
      const field = file && fieldForFile(form);
      if (!field) return;
      Object.assign(field, { text: file.upload.name, picked: file.upload, file });
      state.files = others;
    },
  };
}
