import {
  LIMITS,
  type Submission,
  submission,
  WORKFLOWS,
  WORKFLOWS_SUPPORTING,
  type Workflow,
} from '@darkroom/image-api';
import { inCode } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import { nearest } from '../requests/nearest.ts';
import type { ImagineOptions } from '../requests/options.ts';
import { likelySize, readSize, type SizeContext } from '../requests/sizes.ts';
import { UserError } from './user-error.ts';

/** The options of `/imagine` that are submitted; `size` stands for width and height. */
export type SubmissionOptions = Omit<ImagineOptions, 'count' | 'private' | 'spoiler' | 'flags' | 'graph'>;

/** Neither blank (spaces, empty braille) nor without a shape: what Unicode lets ignore, controls, half of a pair. */
const VISIBLE_CHARACTER = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u;

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && !VISIBLE_CHARACTER.test(value));

/**
 * What is submitted. `mostPixels`: how many a picture of a ratio may have. Blank words count as left out. Discord checks ranges and choices as well, but what is sent to a bot
 * need not come from Discord's own client. Throws `UserError` naming the field and its range.
 */
export function parseSubmission(
  options: SubmissionOptions,
  texts: Texts,
  { mostPixels }: { mostPixels?: number | undefined } = {},
): Submission {
  const given = Object.entries(options).filter(([, value]) => !isBlank(value));
  const { size, ...fields } = Object.fromEntries(given);
  const read = submission.safeParse({
    workflow: 'default',
    width: LIMITS.width.default,
    height: LIMITS.height.default,
    ...(size !== undefined && sizeOf(`${size}`, { workflow: options.workflow, mostPixels }, texts)),
    ...fields,
  });
  if (!read.success) throw new UserError(explainInvalid(read.error.issues[0]?.path[0], options, texts));
  for (const field of ['cfg', 'model'] as const) {
    const workflows: readonly Workflow[] = WORKFLOWS_SUPPORTING[field];
    if (read.data[field] !== undefined && !workflows.some((workflow) => workflow === read.data.workflow)) {
      throw new UserError(texts.refusal.unsupportedOption(field, workflows));
    }
  }
  return read.data;
}

function sizeOf(text: string, context: SizeContext, texts: Texts) {
  const size = readSize(text, context);
  if (!size) throw new UserError(`${unknown(text, likelySize(text, texts.sizes), texts)} ${whatSize(texts)}`);
  return size;
}

/** What a size can be. */
export const whatSize = ({ refusal, sizes }: Texts): string =>
  refusal.size(Object.values(sizes), LIMITS.width.min, LIMITS.width.max);

const unknown = (typed: string, meant: string | undefined, texts: Texts): string =>
  texts.typed.unknown(inCode(typed), meant === undefined ? undefined : inCode(meant));

function explainInvalid(
  field: PropertyKey | undefined,
  { workflow = '' }: SubmissionOptions,
  texts: Texts,
): string {
  switch (field) {
    case 'workflow':
      return `${unknown(`${workflow}`, nearest(`${workflow}`.toLowerCase(), WORKFLOWS), texts)} ${texts.refusal.workflow(WORKFLOWS)}`;
    case 'cfg':
      return texts.refusal.numberRange(field, LIMITS.cfg.min, LIMITS.cfg.max);
    case 'steps':
    case 'seed':
      return texts.refusal.integerRange(field, LIMITS[field].min, LIMITS[field].max);
    case 'model':
      return texts.refusal.model;
    default:
      return texts.refusal.prompt;
  }
}
