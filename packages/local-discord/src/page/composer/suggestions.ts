import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import { avatarUrl } from '../urls.ts';
import type { View } from '../view.ts';
import type { AutocompleteState } from './autocomplete.ts';
import {
  type Choice,
  type CommandForm,
  type OptionField,
  type SlashCommand,
  searchCommands,
  sentAs,
  slashCommands,
  unusedOptions,
} from './command-form.ts';
import type { ComposerState } from './composer-state.ts';
import { choicesFor } from './option-choices.ts';
import type { SuggestionList } from './suggestion-list.ts';

/** A bot cannot suggest more at once. */
const MAX_CHOICES = 25;

interface SuggestionActions {
  startCommand(command: SlashCommand): void;
  pickOption(option: APIApplicationCommandBasicOption): void;
  pickChoice(field: OptionField, choice: Choice): void;
}

/** The list above the composer; `null` for no list. */
export function suggest(
  state: ComposerState,
  view: View,
  autocomplete: Readonly<AutocompleteState>,
  actions: SuggestionActions,
): SuggestionList | null {
  const { form, caret, text } = state;
  if (state.listClosed) return null;
  if (!form) return /^\/[^\n]*$/.test(text) ? commands(text, view, actions) : null;
  if (caret === 'more') return unused(form, state.more, view, actions);
  return typeof caret === 'string' ? null : choices(caret, view, autocomplete, actions);
}

function commands(text: string, view: View, { startCommand }: SuggestionActions): SuggestionList {
  const isSuggested = ({ path }: SlashCommand) => path === view.snapshot?.suggestedCommand;
  const all = slashCommands(view.channel?.commands ?? []).toSorted(
    (a, b) => Number(isSuggested(b)) - Number(isSuggested(a)),
  );
  const found = searchCommands(all, text.slice(1).trimEnd());
  const words = view.words.composer;
  return {
    heading: words.commands,
    note: found.length > 0 ? null : view.channel?.loaded ? words.noCommand : words.loadingCommands,
    items: found.map((command) => ({
      key: sentAs(command),
      label: `/${command.path}`,
      hint: command.description,
      options: command.options.map(({ name }) => name),
      source: command.registration.application.name,
      imageUrl: avatarUrl(command.registration.application.user),
      pick: () => startCommand(command),
    })),
  };
}

function unused(
  form: CommandForm,
  typed: string,
  { words }: View,
  { pickOption }: SuggestionActions,
): SuggestionList | null {
  const items = unusedOptions(form)
    .filter(({ name }) => name.includes(typed.trim().toLowerCase()))
    .map((option) => ({
      key: option.name,
      label: option.name,
      hint: option.description,
      pick: () => pickOption(option),
    }));
  return items.length > 0 ? { heading: words.composer.optional, note: null, items } : null;
}

function choices(
  field: OptionField,
  view: View,
  autocomplete: Readonly<AutocompleteState>,
  { pickChoice }: SuggestionActions,
): SuggestionList | null {
  const words = view.words.composer;
  const typed = field.picked === null ? field.text.trim().toLowerCase() : '';
  const fixed = choicesFor(view, field.option);
  const offered = fixed ?? autocomplete.choices;
  // Until the bot answers, its previous choices are filtered.
  const filter = fixed !== null || autocomplete.status === 'loading';
  const matches = filter ? offered.filter(({ label }) => label.toLowerCase().includes(typed)) : offered;
  const nothing = fixed && matches.length === 0 ? words.nothingFits : null;
  const more = fixed === null && offered.length >= MAX_CHOICES ? words.typeForOthers : null;
  const note = autocomplete.status === 'failed' ? words.loadingFailed : (nothing ?? more);
  if (matches.length === 0 && note === null) return null;
  return {
    heading: null,
    note,
    items: matches.map((choice) => ({
      key: String(choice.value),
      label: choice.label,
      pick: () => pickChoice(field, choice),
    })),
  };
}
