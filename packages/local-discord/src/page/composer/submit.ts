import { sayRefusal } from '../../user-client/refusals.ts';
import { RequestError } from '../connection.ts';
import type { Store } from '../store.ts';
import { type CommandForm, readFields, sentAs } from './command-form.ts';
import type { Caret, ComposerState } from './composer-state.ts';

/** Sends the composer's message or command. What could not be sent is restored where it was written, with the reason. */
export function createSubmit(options: {
  store: Store;
  /** Of the open channel, which may be another one when a request ends. */
  draft(): ComposerState;
  moveCaret(caret: Caret): void;
  /** Takes the command out of the composer. */
  clear(): void;
  redraw(): void;
}): () => Promise<void> {
  const { store, draft, moveCaret, clear, redraw } = options;

  function setCaret(state: ComposerState, caret: Caret): void {
    if (state === draft()) moveCaret(caret);
    else state.caret = caret;
  }

  function fail(error: unknown, state: ComposerState, restore: (field: string | null) => void): void {
    if (!(error instanceof RequestError)) throw error;
    restore(error.field);
    state.problem = { text: error.message, caret: state.caret, offline: error.offline };
    redraw();
  }

  async function sendMessage(channelId: string, state: ComposerState): Promise<void> {
    // Enter may come while a file that was chosen is still being read; here as below.
    await state.reading;
    const { text, files } = state;
    const content = text.trim();
    if (content === '' && files.length === 0) return;
    Object.assign(state, { text: '', files: [], cancelled: null, problem: null });
    setCaret(state, 'text');
    try {
      const uploads = files.map(({ upload }) => upload);
      await store.runAction<'say'>({ do: 'say', channelId, content, uploads });
    } catch (error) {
      fail(error, state, () => {
        // Above what has been typed since.
        state.text = [text, state.text].filter(Boolean).join('\n');
        state.files = [...files, ...state.files];
      });
    }
  }

  async function sendCommand(channelId: string, state: ComposerState, form: CommandForm): Promise<void> {
    await Promise.all(form.fields.map(({ reading }) => reading));
    if (draft().form !== form) return;
    const { words, locale } = store.view;
    const read = readFields(form, words.composer);
    if ('refusal' in read) {
      moveCaret(read.field);
      const text = sayRefusal(words.refusals, read.refusal, locale);
      state.problem = { text, caret: read.field, offline: false };
      return;
    }
    clear();
    moveCaret('text');
    try {
      const { path, registration } = form.command;
      await store.sendCommand(
        { do: 'invoke', channelId, command: sentAs(form.command), options: read.values },
        { command: `/${path}`, applicationId: registration.application.id },
      );
    } catch (error) {
      fail(error, state, (field) => {
        state.form ??= form;
        setCaret(state, form.fields.find(({ option }) => option.name === field) ?? 'more');
      });
    }
  }

  return async () => {
    const channelId = store.view.channel?.id;
    if (!channelId) return;
    const state = draft();
    await (state.form ? sendCommand(channelId, state, state.form) : sendMessage(channelId, state));
  };
}
