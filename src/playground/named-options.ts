import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { type Draft, openPill, type Pill } from './command-draft.ts';
import type { WireOptionValue } from './wire.ts';

/** Where a text first names one of these options, at the beginning of a word: `size` in `a fox size:9x9`. */
function namedIn(text: string, options: readonly APIApplicationCommandBasicOption[]) {
  for (const { 0: whole, 1: name, index } of text.matchAll(/(?<!\S)([^\s:]+):\s*/g)) {
    const option = options.find((one) => one.name === name?.toLowerCase());
    if (option)
      return { option, at: index, before: text.slice(0, index), behind: text.slice(index + whole.length) };
  }
  return undefined;
}

/** The same, where nothing stands before the name. */
function namedFirst(text: string, options: readonly APIApplicationCommandBasicOption[]) {
  const named = namedIn(text, options);
  return named?.before.trim() === '' ? named : undefined;
}

/** Options without a value. A file is not typed. */
const emptyOptions = ({ leaf, pills }: Draft): APIApplicationCommandBasicOption[] =>
  leaf.options.filter(
    (option) =>
      option.type !== Option.Attachment && !pills.some((pill) => pill.option === option && pill.text !== ''),
  );

/** The place of the option that a text begins with the name of: of `size:9x9`. */
export function openNamed(draft: Draft, text: string): Pill | undefined {
  const named = namedFirst(text, emptyOptions(draft));
  return named && openPill(draft, named.option);
}

/**
 * Puts what was typed or pasted into an option. From where it names another one that is empty, it goes into that one:
 * `a fox size:9x9`. Answers the last one that something went into. `pick` finds in a list what stands written out behind
 * a name.
 */
export function fill(
  draft: Draft,
  pill: Pill,
  text: string,
  pick: (pill: Pill) => WireOptionValue | null,
): Pill {
  const own = namedFirst(text, [pill.option]);
  const value = own?.behind ?? text;
  const next = namedIn(
    value,
    emptyOptions(draft).filter((option) => option !== pill.option),
  );
  pill.text = next ? next.before.trimEnd() : value;
  pill.picked = own ? pick(pill) : null;
  return next ? fill(draft, openPill(draft, next.option), value.slice(next.at), pick) : pill;
}
