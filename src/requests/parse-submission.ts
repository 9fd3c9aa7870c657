import { LIMITS, type Submission, submission } from '@darkroom/image-api';
import { nearest } from '@darkroom/process';
import { z } from 'zod';
import { inCode } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import { readOrNote, refuseAll, UserError } from '../messages/user-error.ts';
import { explainRange, isRanged, RANGES } from './flag-values.ts';
import type { ImagineOptions } from './imagine-options.ts';
import { EVERYWHERE_OFFERED, hasEffect, idleOptions, type Offer } from './offers.ts';
import { likelySize, longestRatio, readSize, type SizeContext } from './sizes.ts';

/** The options of `/imagine` that are submitted; `size` stands for width and height. */
export type SubmissionOptions = Omit<
  ImagineOptions,
  'count' | 'private' | 'spoiler' | 'flags' | 'graph' | 'source'
>;

/** Without what they have to be together: what a picture is made from is not among the options. */
const parameters = z.strictObject(submission.shape);

/** Neither blank (spaces, empty braille) nor without a shape: what Unicode lets ignore, controls, half of a pair. */
const VISIBLE_CHARACTER = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u;

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && !VISIBLE_CHARACTER.test(value));

/**
 * What is submitted. `mostPixels`: how many a picture of a ratio may have. `offers`: the workflows that there are;
 * without one that is named, an option needs an effect in any of them. `named`: those that a refusal lists.
 * `needsWords`: whether there has to be a prompt. Blank words count as left out. Discord checks ranges and choices as
 * well, but what is sent to a bot need not come from Discord's own client. Throws `UserError` naming each field that
 * is wrong and its range.
 */
export function parseSubmission(
  options: SubmissionOptions,
  texts: Texts,
  {
    mostPixels,
    offers = EVERYWHERE_OFFERED,
    named = offers,
    needsWords = true,
  }: {
    mostPixels?: number | undefined;
    offers?: readonly Offer[];
    named?: readonly Offer[];
    needsWords?: boolean;
  } = {},
): Submission {
  const given = Object.entries(options).filter(([, value]) => !isBlank(value));
  const { size, ...fields } = Object.fromEntries(given);
  const wrong: string[] = needsWords && isBlank(options.prompt) ? [texts.refusal.prompt] : [];
  const workflows = named.map(({ name }) => name);
  const context = { workflow: options.workflow, mostPixels };
  const sides = size === undefined ? undefined : readOrNote(() => sizeOf(`${size}`, context, texts), wrong);
  const read = parameters.safeParse({
    workflow: 'default',
    width: LIMITS.width.default,
    height: LIMITS.height.default,
    prompt: '',
    ...sides,
    ...fields,
  });
  if (!read.success) {
    const explain = (field: string) => explainInvalid(field, options, workflows, texts);
    wrong.push(...read.error.issues.map(({ path: [field = ''] }) => explain(String(field))));
    throw new UserError([...new Set(wrong)].join('\n'));
  }
  const { workflow } = options;
  const taken = workflow === undefined ? offers : offers.filter(({ name }) => name === workflow);
  if (taken.length === 0) wrong.push(explainInvalid('workflow', options, workflows, texts));
  else
    for (const option of idleOptions({ ...read.data, variation_of: undefined }, taken)) {
      const others = named.filter((offer) => hasEffect(option, [offer])).map(({ name }) => name);
      wrong.push(texts.refusal.noEffect(option, others));
    }
  refuseAll(wrong);
  return read.data;
}

function sizeOf(text: string, context: SizeContext, texts: Texts) {
  const size = readSize(text, context);
  if (size) return size;
  const longest = longestRatio(text, context);
  if (longest !== undefined) throw new UserError(texts.typed.ratio(inCode(text.trim()), longest));
  throw new UserError(`${unknown(text, likelySize(text, texts.sizes), texts)} ${whatSize(texts)}`);
}

export const whatSize = ({ refusal, sizes }: Texts): string =>
  refusal.size(Object.values(sizes), LIMITS.width.min, LIMITS.width.max);

const unknown = (typed: string, meant: string | undefined, texts: Texts): string =>
  texts.typed.unknown(inCode(typed), meant === undefined ? undefined : inCode(meant));

function explainInvalid(
  field: string,
  { workflow = '' }: SubmissionOptions,
  workflows: readonly string[],
  texts: Texts,
): string {
  if (isRanged(field)) return explainRange(field, RANGES[field], texts);
  switch (field) {
    case 'workflow':
      return `${unknown(`${workflow}`, nearest(`${workflow}`.toLowerCase(), workflows), texts)} ${texts.refusal.workflow(workflows)}`;
    case 'model':
      return texts.refusal.model;
    default:
      return texts.refusal.prompt;
  }
}
