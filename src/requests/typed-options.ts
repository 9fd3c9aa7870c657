import { inCode } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import { FLAGS } from './flag-names.ts';
import { explainRange, type FlagOptions, isRanged, RANGES } from './flag-values.ts';
import { parseFlags, type UnknownFlag } from './flags.ts';
import { type ImagineOptions, PROMPT_CHARACTERS } from './imagine-options.ts';
import { EVERYWHERE_OFFERED, type Offer } from './offers.ts';
import { whatSize } from './parse-submission.ts';

/**
 * What was typed with its flags among the options, from which they are gone. `wrong`: a sentence for each flag that
 * is none, or says something else than an option. `offers`: the workflows that a refusal lists.
 */
export function readTyped(
  { prompt: typed, flags = '', graph, source, ...options }: ImagineOptions,
  texts: Texts,
  offers: readonly Offer[] = EVERYWHERE_OFFERED,
): { options: ImagineOptions; wrong: string[] } {
  const inPrompt = parseFlags(typed);
  const apart = parseFlags(flags);
  const unknown = [...inPrompt.unknown, ...apart.unknown];
  const { all, contradicted } = joined([options, apart.options, inPrompt.options]);
  return {
    options: { prompt: inPrompt.prompt, ...(graph && { graph }), ...(source && { source }), ...all },
    wrong: [
      ...tooLong(typed, 'prompt', texts),
      ...tooLong(options.negative_prompt ?? '', 'negative_prompt', texts),
      ...unknown.slice(0, MOST_NAMED).map((flag) => explain(flag, offers, texts)),
      ...(unknown.some(({ why, suggestion }) => why === 'unknown' && suggestion === undefined)
        ? [texts.typed.flags(FLAGS.map((flag) => inCode(flag)))]
        : []),
      ...(apart.prompt.trim() === '' ? [] : [texts.typed.noFlags(inCode(apart.prompt))]),
      ...contradicted.map((name) => texts.typed.contradiction(inCode(name))),
    ],
  };
}

/** How many flags are explained at once. */
const MOST_NAMED = 5;

function tooLong(text: string, option: string, { typed }: Texts): string[] {
  const over = text.length - PROMPT_CHARACTERS;
  return over > 0 ? [typed.tooLong(inCode(option), over)] : [];
}

/** All of them together, and those of which one says something else than another. */
function joined(said: readonly Partial<FlagOptions>[]): { all: FlagOptions; contradicted: string[] } {
  const all: Record<string, unknown> = {};
  const contradicted = new Set<string>();
  for (const [name, value] of said.flatMap((one) => Object.entries(one))) {
    if (value === undefined || value === '') continue;
    const before = all[name];
    if (before !== undefined && !isSame(before, value)) contradicted.add(name);
    all[name] = value;
  }
  return { all, contradicted: [...contradicted] };
}

const isSame = (one: unknown, other: unknown): boolean =>
  `${one}`.trim().toLowerCase() === `${other}`.trim().toLowerCase();

function explain(
  { flag, why, option, suggestion }: UnknownFlag,
  offers: readonly Offer[],
  texts: Texts,
): string {
  const { typed } = texts;
  switch (why) {
    case 'unknown':
      return typed.unknown(inCode(flag), suggestion === undefined ? undefined : inCode(suggestion));
    case 'elsewhere':
      return typed.flagElsewhere(inCode(flag));
    case 'twice':
      return typed.flagTwice(inCode(flag));
    case 'value':
      return option !== undefined && isRanged(option)
        ? explainRange(/^[^\s=]+/.exec(flag)?.[0] ?? flag, RANGES[option], texts)
        : `${inCode(flag)}: ${whatItTakes(option, offers, texts)}`;
  }
}

function whatItTakes(option: UnknownFlag['option'], offers: readonly Offer[], texts: Texts): string {
  const { refusal, typed } = texts;
  switch (option) {
    case 'size':
    case 'width':
    case 'height':
      return whatSize(texts);
    case 'workflow':
    case 'niji':
      return refusal.workflow(offers.map(({ name }) => name));
    case 'model':
      return refusal.model;
    case 'negative_prompt':
      return typed.noWords;
    default:
      return typed.onOrOff;
  }
}
