import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import {
  type Choice,
  type Draft,
  type Leaf,
  leavesOf,
  matching,
  type Pill,
  unusedOptions,
} from '../../command-draft.ts';
import { avatarUrl } from '../names.ts';
import type { View } from '../view.ts';
import type { AutocompleteState } from './autocomplete.ts';
import { choicesFor } from './option-choices.ts';
import type { ComposerState } from './state.ts';
import type { SuggestionList } from './suggestion-list.ts';

/** What taking a line of the list does. */
export interface Picks {
  begin(leaf: Leaf): void;
  pickOption(option: APIApplicationCommandBasicOption): void;
  pickChoice(pill: Pill, choice: Choice): void;
}

/** What the list above the composer offers now; `null` for no list. */
export function suggest(
  state: ComposerState,
  view: View,
  autocomplete: Readonly<AutocompleteState>,
  picks: Picks,
): SuggestionList | null {
  const { draft, place, text } = state;
  if (state.listClosed) return null;
  if (!draft) return /^\/[^\n]*$/.test(text) ? commands(text, view, picks) : null;
  if (place === 'more') return unused(draft, state.more, picks);
  return typeof place === 'string' ? null : choices(place, view, autocomplete, picks);
}

function commands(text: string, view: View, { begin }: Picks): SuggestionList {
  const found = matching(leavesOf(view.channel?.commands ?? []), text.slice(1).trimEnd());
  return {
    heading: 'Commands',
    note: found.length > 0 ? null : view.channel?.loaded ? 'No such command here' : 'Loading commands…',
    items: found.map((leaf) => ({
      key: leaf.path,
      label: `/${leaf.path}`,
      hint: leaf.description,
      options: leaf.options.map(({ name }) => name),
      source: leaf.command.application.name,
      imageUrl: avatarUrl(leaf.command.application.user),
      pick: () => begin(leaf),
    })),
  };
}

function unused(draft: Draft, typed: string, { pickOption }: Picks): SuggestionList | null {
  const items = unusedOptions(draft)
    .filter(({ name }) => name.includes(typed.trim().toLowerCase()))
    .map((option) => ({
      key: option.name,
      label: option.name,
      hint: option.description,
      pick: () => pickOption(option),
    }));
  return items.length > 0 ? { heading: 'Optional', note: null, items } : null;
}

function choices(
  pill: Pill,
  view: View,
  autocomplete: Readonly<AutocompleteState>,
  { pickChoice }: Picks,
): SuggestionList | null {
  const typed = pill.picked === null ? pill.text.trim().toLowerCase() : '';
  const fixed = choicesFor(view, pill.option);
  const offered = fixed ?? autocomplete.choices;
  // Until the bot has answered, what it suggested before is narrowed down to what fits.
  const narrow = fixed !== null || autocomplete.status === 'loading';
  const fitting = narrow ? offered.filter(({ label }) => label.toLowerCase().includes(typed)) : offered;
  const nothing = fixed && fitting.length === 0 ? 'Nothing in the list fits' : null;
  const note = autocomplete.status === 'failed' ? 'Loading options failed' : nothing;
  if (fitting.length === 0 && note === null) return null;
  return {
    heading: null,
    note,
    items: fitting.map((choice) => ({
      key: String(choice.value),
      label: choice.label,
      pick: () => pickChoice(pill, choice),
    })),
  };
}
