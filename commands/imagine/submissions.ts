import { PICTURE_LIMITS, type Submission } from '@darkroom/image-api';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import { drawnIn, type Input, inputFor, sizeOfResult } from '../../src/jobs/input.ts';
import { isSeeded } from '../../src/jobs/task-submission.ts';
import { mostPixels } from '../../src/limits/size.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Source } from '../../src/requests/imagine-options.ts';
import { offersFor } from '../../src/requests/offers.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/requests/parse-submission.ts';
import { withDefaults } from './defaults.ts';
import { checkOwnPictures } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import type { Rules } from './rules.ts';

/**
 * What is submitted for what is drawn from words. `needsWords`: as of `parseSubmission`. Throws `UserError` for what is
 * wrong.
 */
export function wordsSubmission(
  { texts, context }: Invocation,
  options: SubmissionOptions,
  { own, settings }: Rules,
  { needsWords = true } = {},
): Submission {
  const { bounds } = context.requests.limits;
  const chosen = context.offers.of(settings.workflows);
  const decided = withDefaults(options, { own: own.defaults, settings, bounds, offers: chosen });
  return parseSubmission(decided, texts, {
    mostPixels: mostPixels([bounds, settings]),
    offers: context.offers.of(),
    named: chosen,
    needsWords,
  });
}

/** What a graph says itself. */
const WITHOUT_EFFECT = ['workflow', 'steps', 'cfg', 'model'] as const;

/**
 * What is filled into a graph: its words, and the size where it has a place for one. Throws `UserError` where an
 * option has no effect.
 */
export function graphSubmission(
  invocation: Invocation,
  options: SubmissionOptions,
  { uses }: NamedGraph,
  { settings }: Rules,
): Submission {
  const { texts, context } = invocation;
  const idle = [
    ...WITHOUT_EFFECT,
    ...(uses.includes('width') || uses.includes('height') ? [] : ['size' as const]),
    ...(uses.includes('negative_prompt') ? [] : ['negative_prompt' as const]),
  ].filter((option) => options[option] !== undefined);
  if (idle.length > 0) throw new UserError(texts.graph.noEffect(idle));
  const { bounds } = context.requests.limits;
  const sized = withDefaults(options, { own: {}, settings, bounds, offers: context.offers.of() });
  const { prompt, negative_prompt, width, height, seed } = parseSubmission(
    { ...options, size: sized.size },
    texts,
  );
  return {
    prompt,
    ...(negative_prompt !== undefined && { negative_prompt }),
    ...((uses.includes('width') || uses.includes('height')) && { width, height }),
    ...(seed !== undefined && { seed }),
  };
}

/**
 * What is submitted for what is made of a picture, and the picture as the key that pays can name it. Throws
 * `UserError` where it cannot be made, or not here.
 */
export function sourceSubmission(
  invocation: Invocation,
  options: SubmissionOptions,
  source: Source,
  rules: Rules,
): { submission: Submission; input: Input } {
  const { texts, context } = invocation;
  const { settings, credential } = rules;
  const { operation, scale, expand } = source;
  if (source.input.own) checkOwnPictures(invocation, rules);
  const { mostPixels: _, ...known } = source.input;
  const input = credential ? inputFor(credential.payer, known) : known;
  if (!input) throw new UserError(texts.actions.fileGone);
  const allowed = context.offers.of(settings.workflows);
  const from = { drawnIn: drawnIn(input) };
  const able = offersFor(operation, allowed, { ...from, strength: options.strength !== undefined });
  const offer = able.find(({ name }) => options.workflow === undefined || name === options.workflow);
  if (able.length === 0 && offersFor(operation, allowed, from).length > 0)
    throw new UserError(texts.source.withoutStrength);
  if (able.length === 0 && input.own && operation === 'edit') throw new UserError(texts.source.wordsAlone);
  if (!offer) throw new UserError(texts.source.notOffered[operation](able.map(({ name }) => name)));
  const workflow = offer.name;
  const made = { operation, ...(scale && { scale }), ...(expand && { expand }) };
  const submission = isSeeded({ operation })
    ? { ...wordsPart(invocation, { ...options, workflow }, operation, rules), ...made }
    : { prompt: options.prompt, workflow, ...made };
  const size = sizeOfResult({ submission, input });
  if (size && Math.max(size.width, size.height) > PICTURE_LIMITS.resultSide)
    throw new UserError(texts.source.tooWide(PICTURE_LIMITS.resultSide));
  const most = size ? undefined : mostPixels([context.requests.limits.bounds, settings]);
  return { submission, input: { ...input, ...(most !== undefined && { mostPixels: most }) } };
}

/** The part of it that is drawn from words. Its size is that of the picture unless it is typed. */
function wordsPart(
  invocation: Invocation,
  options: SubmissionOptions,
  operation: Source['operation'],
  rules: Rules,
): Submission {
  const whole = wordsSubmission(invocation, options, rules, { needsWords: operation === 'edit' });
  const { width: _, height: __, ...sizeless } = whole;
  return options.size === undefined ? sizeless : whole;
}
