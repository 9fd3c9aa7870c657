import type { Texts } from '../../src/bot/locale/en.ts';
import { HONOURED_BY, LIMITS, WORKFLOWS, type Workflow } from '../../src/contract/limits.ts';
import { type Submission, submission } from '../../src/contract/submission.ts';
import { UserError } from '../../src/errors.ts';
import { readSize } from './size.ts';

/** What a member filled in; a size stands for width and height. */
export type Filled = {
  [Field in Exclude<keyof Submission, 'width' | 'height'>]: Submission[Field] | undefined;
} & {
  size: string | undefined;
};

/** Neither blank (spaces, empty braille) nor without a shape: what Unicode lets ignore, controls, half of a pair. */
const SOMETHING_TO_SEE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2800]/u;

const isLeftOut = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && !SOMETHING_TO_SEE.test(value));

/**
 * What is submitted for it. Words without anything to see count as left out. Discord checks ranges and choices as well,
 * but what is sent to a bot need not come from Discord's own window. Throws `UserError` naming the field and its range.
 */
export function readSubmission(filled: Filled, texts: Texts): Submission {
  const given = Object.entries(filled).filter(([, value]) => !isLeftOut(value));
  const { size, ...fields } = Object.fromEntries(given);
  const read = submission.safeParse({
    workflow: 'default',
    width: LIMITS.width.default,
    height: LIMITS.height.default,
    ...(size !== undefined && sizeOf(`${size}`, texts)),
    ...fields,
  });
  if (!read.success) throw new UserError(refusalOf(read.error.issues[0]?.path[0], texts));
  for (const field of ['cfg', 'model'] as const) {
    const workflows: readonly Workflow[] = HONOURED_BY[field];
    if (read.data[field] !== undefined && !workflows.some((workflow) => workflow === read.data.workflow)) {
      throw new UserError(texts.refusal.noEffect(field, workflows));
    }
  }
  return read.data;
}

function sizeOf(text: string, texts: Texts) {
  const size = readSize(text);
  if (!size) throw new UserError(texts.refusal.size(LIMITS.width.min, LIMITS.width.max));
  return size;
}

function refusalOf(field: PropertyKey | undefined, texts: Texts): string {
  switch (field) {
    case 'workflow':
      return texts.refusal.workflow(WORKFLOWS);
    case 'cfg':
      return texts.refusal.decimal(field, LIMITS.cfg.min, LIMITS.cfg.max);
    case 'steps':
    case 'seed':
      return texts.refusal.range(field, LIMITS[field].min, LIMITS[field].max);
    case 'model':
      return texts.refusal.model;
    default:
      return texts.refusal.prompt;
  }
}
