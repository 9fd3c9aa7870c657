import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import type { OptionInput } from '../../page-server/protocol.ts';
import type { Store } from '../store.ts';
import { createAutocomplete } from './autocomplete.ts';
import {
  type Choice,
  createForm,
  hasAutocomplete,
  isTyped,
  type OptionField,
  openField,
  partialValues,
  type SlashCommand,
  sentAs,
  slashCommands,
  typedChoice,
} from './command-form.ts';
import { type Caret, type ComposerState, emptyComposer } from './composer-state.ts';
import { createComposerFiles } from './files.ts';
import { fill, openNamed } from './named-options.ts';
import { choicesFor } from './option-choices.ts';
import { createSubmit } from './submit.ts';
import type { SuggestionList } from './suggestion-list.ts';
import { suggest } from './suggestions.ts';

export type Composer = ReturnType<typeof createComposer>;

/** The input at the bottom: plain messages, and slash commands with their options. Drawn by composer-view.ts. */
export function createComposer({ store, redraw }: { store: Store; redraw(): void }) {
  let state = emptyComposer();
  /** What each user has begun to write, by user and channel: it stays where it was written. */
  const drafts = new Map<string, ComposerState>();
  let focusRequested = false;

  const autocomplete = createAutocomplete({
    redraw,
    async ask() {
      const { form, caret } = state;
      const channelId = store.view.channel?.id;
      if (!form || typeof caret === 'string' || !channelId) return { choices: [], failed: false };
      return store.runAction<'autocomplete'>({
        do: 'autocomplete',
        channelId,
        command: sentAs(form.command),
        options: partialValues(form, caret, store.view.words.composer),
        focused: caret.option.name,
      });
    },
  });

  const commands = (): SlashCommand[] => slashCommands(store.view.channel?.commands ?? []);

  /** Moves the caret; with `focus`, the browser's focus follows after the next render. */
  function moveCaret(caret: Caret, focus = true): void {
    if (caret !== state.caret) {
      autocomplete.reset();
      if (typeof caret !== 'string' && hasAutocomplete(caret.option)) autocomplete.ask();
    }
    state.caret = caret;
    openList();
    focusRequested ||= focus;
    redraw();
  }

  /** With the first suggestion highlighted, but where nothing is left to find: there, Enter sends. */
  function openList(): void {
    const { caret, more } = state;
    const found = caret === 'more' ? more.trim() === '' : caret !== 'text' && caret.picked !== null;
    state.listClosed = false;
    state.highlighted = found ? -1 : 0;
  }

  function typed(): void {
    state.problem = null;
    openList();
  }

  function nextField(field: OptionField): Caret {
    const fields = state.form?.fields ?? [];
    return fields.slice(fields.indexOf(field) + 1).find(({ text }) => text === '') ?? 'more';
  }

  function startCommand(command: SlashCommand): void {
    state.form = createForm(command);
    state.text = '';
    state.more = '';
    state.problem = null;
    files.handOver(state.form);
    moveCaret(state.form.fields.find(({ text }) => text === '') ?? 'more');
  }

  function clear(): void {
    state.form = null;
    state.cancelled = null;
    state.problem = null;
    autocomplete.reset();
    moveCaret('text', false);
  }

  /** Discards the command and moves the caret to the plain text. */
  function cancel(): void {
    const cancelled = state.form?.fields.some(({ text }) => text !== '') ? state.form : state.cancelled;
    clear();
    state.cancelled = cancelled;
    moveCaret('text');
  }

  /** Brings back the command that was cancelled, where nothing else was typed. Returns whether there is one. */
  function restore(): boolean {
    const { cancelled } = state;
    if (!cancelled || state.form || state.text !== '') return false;
    Object.assign(state, { form: cancelled, cancelled: null, more: '', problem: null });
    moveCaret('more');
    return true;
  }

  function pickChoice(field: OptionField, choice: Choice): void {
    field.text = choice.label;
    field.picked = choice.value;
    state.problem = null;
    moveCaret(nextField(field));
  }

  function pickOption(option: APIApplicationCommandBasicOption): void {
    if (!state.form) return;
    state.more = '';
    moveCaret(openField(state.form, option));
  }

  function removeField(field: OptionField): void {
    const { form } = state;
    if (!form) return;
    if (field.option.required) {
      if (form.fields.every(({ text }) => text === '')) cancel();
      return;
    }
    const at = form.fields.indexOf(field);
    form.fields = form.fields.filter((other) => other !== field);
    state.problem = null;
    moveCaret(form.fields[at - 1] ?? 'more');
  }

  function typeMore(text: string): void {
    const { form } = state;
    const named = form && openNamed(form, text);
    state.more = named ? '' : text;
    if (named) {
      typeField(named, text);
      return;
    }
    typed();
    redraw();
  }

  /** Fills in what was typed behind the name of a command. */
  function typeValues(text: string): void {
    const first = state.form?.fields.find(({ option }) => isTyped(option));
    if (first) typeField(first, text);
    else typeMore(text);
  }

  /** A whole command may be pasted. */
  function typeText(text: string): void {
    state.text = text;
    typed();
    const command = commands().find(({ path }) => text.startsWith(`/${path} `));
    if (command) {
      startCommand(command);
      typeValues(text.slice(command.path.length + 2));
    } else redraw();
  }

  /** A value is one line, however it is pasted. */
  function typeField(field: OptionField, text: string): void {
    const { form } = state;
    if (!form) return;
    const last = fill(form, field, text.replaceAll(/\s*\n\s*/g, ' '), choiceByLabel);
    typed();
    if (last !== state.caret) moveCaret(last);
    else if (hasAutocomplete(last.option)) autocomplete.ask();
    redraw();
  }

  /** The choice whose label was typed in full. */
  const choiceByLabel = ({ option, text }: OptionField): OptionInput | null =>
    typedChoice(choicesFor(store.view, option) ?? [], text)?.value ?? null;

  const suggestions = (): SuggestionList | null =>
    suggest(state, store.view, autocomplete.state, { startCommand, pickChoice, pickOption });

  const draft = () => state;
  const files = createComposerFiles({ draft, view: store.view, moveCaret, nextField, redraw });
  const submit = createSubmit({ store, draft, moveCaret, clear, redraw });

  return {
    get state() {
      return state;
    },
    words: () => store.view.words.composer,
    suggestions,
    submit,
    cancel,
    restore,
    moveCaret,
    removeField,

    /** Call when another channel is open, or the same one for another user. */
    enterChannel(): void {
      autocomplete.reset();
      const place = `${store.view.snapshot?.userId} ${store.view.channel?.id}`;
      state = drafts.get(place) ?? emptyComposer();
      state.listClosed = true;
      drafts.set(place, state);
    },

    cameOnline(): void {
      for (const one of drafts.values()) if (one.problem?.offline) one.problem = null;
    },

    /** Starts over with this line, a command with its options or without. */
    pasteLine(line: string): void {
      cancel();
      const alone = commands().find(({ path }) => line === `/${path}`);
      if (alone) startCommand(alone);
      else typeText(line);
    },

    typeText,
    typeMore,
    typeField,
    files,

    closeList(): void {
      state.listClosed = true;
      redraw();
    },

    highlight(at: number): void {
      state.highlighted = at;
      redraw();
    },

    /** Whether the focus should follow the caret now; resets the request. */
    takeFocusRequest(): boolean {
      const requested = focusRequested;
      focusRequested = false;
      return requested;
    },
  };
}
