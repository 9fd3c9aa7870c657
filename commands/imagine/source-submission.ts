import { PICTURE_LIMITS, type Submission } from '@darkroom/image-api';
import { drawnIn, type Input, inputFor, sizeOfResult } from '../../src/jobs/input.ts';
import { isSeeded } from '../../src/jobs/task-submission.ts';
import { mostPixels } from '../../src/limits/size.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { offersFor } from '../../src/requests/offers.ts';
import type { Source } from '../../src/requests/options.ts';
import type { SubmissionOptions } from '../../src/requests/submission.ts';
import type { Invocation } from './invocation.ts';
import { checkOwnPictures } from './starting-picture.ts';
import type { Terms } from './terms.ts';
import { wordsSubmission } from './words-submission.ts';

/**
 * What is submitted for what is made of a picture, and the picture as the key that pays can name it. Throws
 * `UserError` where it cannot be made, or not here.
 */
export function sourceSubmission(
  options: SubmissionOptions,
  source: Source,
  own: MemberDefaults,
  terms: Terms,
  invocation: Invocation,
): { submission: Submission; input: Input } {
  const { texts, context } = invocation;
  const { settings, credential } = terms;
  const { operation, scale, expand } = source;
  if (source.input.own) checkOwnPictures(terms, invocation);
  const { mostPixels: _, ...begins } = source.input;
  const input = credential ? inputFor(credential.payer, begins) : begins;
  if (!input) throw new UserError(texts.actions.fileGone);
  const allowed = context.offers.of(settings.workflows);
  const from = { drawnIn: drawnIn(input) };
  const able = offersFor(operation, from, allowed, { strength: options.strength !== undefined });
  const offer = able.find(({ name }) => options.workflow === undefined || name === options.workflow);
  if (able.length === 0 && offersFor(operation, from, allowed).length > 0)
    throw new UserError(texts.source.withoutStrength);
  if (able.length === 0 && input.own && operation === 'edit') throw new UserError(texts.source.wordsAlone);
  if (!offer) throw new UserError(texts.source.notOffered[operation](able.map(({ name }) => name)));
  const workflow = offer.name;
  const made = { operation, ...(scale && { scale }), ...(expand && { expand }) };
  const words = { ...options, workflow };
  const submission = isSeeded({ operation })
    ? { ...drawn(words, operation === 'edit', own, terms, invocation), ...made }
    : { prompt: options.prompt, workflow, ...made };
  const size = sizeOfResult({ submission, input });
  if (size && Math.max(size.width, size.height) > PICTURE_LIMITS.resultSide)
    throw new UserError(texts.source.tooWide(PICTURE_LIMITS.resultSide));
  const most = size ? undefined : mostPixels([context.requests.limits.bounds, settings]);
  return { submission, input: { ...input, ...(most !== undefined && { mostPixels: most }) } };
}

/** The part of it that is drawn from words. Its size is that of the picture unless it is typed. */
function drawn(
  options: SubmissionOptions,
  needsWords: boolean,
  own: MemberDefaults,
  terms: Terms,
  invocation: Invocation,
): Submission {
  const whole = wordsSubmission(options, own, terms, invocation, { needsWords });
  const { width: _, height: __, ...sizeless } = whole;
  return options.size === undefined ? sizeless : whole;
}
