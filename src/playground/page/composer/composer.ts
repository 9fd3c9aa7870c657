import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import {
  type Choice,
  hasAutocomplete,
  type Leaf,
  leavesOf,
  openPill,
  type Pill,
  startDraft,
  valuesSoFar,
} from '../../command-draft.ts';
import { fill, openNamed } from '../../named-options.ts';
import type { WireOptionValue } from '../../wire.ts';
import type { Session } from '../session.ts';
import { createAutocomplete } from './autocomplete.ts';
import { choicesFor } from './option-choices.ts';
import { createSending } from './sending.ts';
import { emptyComposer, type Place } from './state.ts';
import type { SuggestionList } from './suggestion-list.ts';
import { suggest } from './suggestions.ts';
import { readUpload } from './uploads.ts';

export type Composer = ReturnType<typeof createComposer>;

/** The line at the bottom: plain messages, and slash commands with their options. What it looks like is line.ts. */
export function createComposer({ session, redraw }: { session: Session; redraw(): void }) {
  const state = emptyComposer();
  let moveFocus = false;

  const autocomplete = createAutocomplete({
    redraw,
    async ask() {
      const { draft, place } = state;
      const channelId = session.view.channel?.id;
      if (!draft || typeof place === 'string' || !channelId) return { choices: [], failed: false };
      return session.act<'autocomplete'>({
        do: 'autocomplete',
        channelId,
        command: draft.leaf.path,
        options: valuesSoFar(draft, place),
        focused: place.option.name,
      });
    },
  });

  const leaves = (): Leaf[] => leavesOf(session.view.channel?.commands ?? []);

  /** Puts the caret somewhere; `move` also moves the browser's focus after the next drawing. */
  function goTo(place: Place, move = true): void {
    if (place !== state.place) {
      autocomplete.forget();
      if (typeof place !== 'string' && hasAutocomplete(place.option)) autocomplete.ask();
    }
    state.place = place;
    openList(place);
    moveFocus ||= move;
    redraw();
  }

  /** The first line is ready to be taken, unless what is typed will do as well. */
  function openList(place: Place): void {
    const mustPick = typeof place === 'string' || choicesFor(session.view, place.option) !== null;
    state.listClosed = false;
    state.highlighted = mustPick ? 0 : -1;
  }

  function typed(place: Place): void {
    state.problem = null;
    openList(place);
  }

  function afterPill(pill: Pill): Place {
    const pills = state.draft?.pills ?? [];
    return pills.slice(pills.indexOf(pill) + 1).find(({ text }) => text === '') ?? 'more';
  }

  function begin(leaf: Leaf): void {
    state.draft = startDraft(leaf);
    state.text = '';
    state.more = '';
    state.problem = null;
    goTo(state.draft.pills[0] ?? 'more');
  }

  function clear(): void {
    state.draft = null;
    state.problem = null;
    autocomplete.forget();
    goTo('text', false);
  }

  function cancel(): void {
    clear();
    goTo('text');
  }

  function pickChoice(pill: Pill, choice: Choice): void {
    pill.text = choice.label;
    pill.picked = choice.value;
    state.problem = null;
    goTo(afterPill(pill));
  }

  function pickOption(option: APIApplicationCommandBasicOption): void {
    if (!state.draft) return;
    state.more = '';
    goTo(openPill(state.draft, option));
  }

  function removePill(pill: Pill): void {
    const { draft } = state;
    if (!draft) return;
    if (pill.option.required) {
      if (draft.pills.every(({ text }) => text === '')) cancel();
      return;
    }
    const at = draft.pills.indexOf(pill);
    draft.pills = draft.pills.filter((other) => other !== pill);
    state.problem = null;
    goTo(draft.pills[at - 1] ?? 'more');
  }

  function typeMore(text: string): void {
    const { draft } = state;
    const named = draft && openNamed(draft, text);
    state.more = named ? '' : text;
    if (named) {
      typePill(named, text);
      return;
    }
    typed('more');
    redraw();
  }

  /** What stands behind the name of a command. */
  function typeValues(text: string): void {
    const first = state.draft?.pills[0];
    if (first) typePill(first, text);
    else typeMore(text);
  }

  /** A value is one line, however it is pasted. */
  function typePill(pill: Pill, text: string): void {
    const { draft } = state;
    if (!draft) return;
    const last = fill(draft, pill, text.replaceAll(/\s*\n\s*/g, ' '), writtenOut);
    typed(last);
    if (last !== state.place) goTo(last);
    else if (hasAutocomplete(last.option)) autocomplete.ask();
    redraw();
  }

  const writtenOut = ({ option, text }: Pill): WireOptionValue | null =>
    choicesFor(session.view, option)?.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase())
      ?.value ?? null;

  const suggestions = (): SuggestionList | null =>
    suggest(state, session.view, autocomplete.state, { begin, pickChoice, pickOption });

  const send = createSending({ session, state, goTo, cancel, redraw });

  return {
    state,
    suggestions,
    send,
    /** Puts a command away and takes the caret to the plain text. */
    cancel,
    /** The same, with the focus left where it is. */
    clear,
    goTo,
    removePill,

    /** The playground is there again. */
    back(): void {
      if (state.problem?.offline) state.problem = null;
    },

    /** Begins the command with this path, as if it had been picked from the list. */
    beginCommand(path: string): void {
      const leaf = leaves().find((candidate) => candidate.path === path);
      if (leaf) begin(leaf);
    },

    /** A whole command may be pasted. */
    typeText(text: string): void {
      state.text = text;
      typed('text');
      const leaf = leaves().find(({ path }) => text.startsWith(`/${path} `));
      if (leaf) {
        begin(leaf);
        typeValues(text.slice(leaf.path.length + 2));
      } else redraw();
    },

    typeMore,
    typePill,

    async chooseFile(pill: Pill, file: File): Promise<void> {
      pill.picked = await readUpload(file);
      pill.text = file.name;
      state.problem = null;
      goTo(afterPill(pill));
    },

    closeList(): void {
      state.listClosed = true;
      redraw();
    },

    highlight(at: number): void {
      state.highlighted = at;
      redraw();
    },

    /** Whether the focus should follow the caret now; asking answers it. */
    takeFocusMove(): boolean {
      const move = moveFocus;
      moveFocus = false;
      return move;
    },
  };
}
