import type { Submission } from '@darkroom/image-api';
import { mostPixels } from '../../src/limits/size.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/requests/submission.ts';
import { withDefaults } from './defaults.ts';
import type { Invocation } from './invocation.ts';
import type { Terms } from './terms.ts';

/**
 * What is submitted for what is drawn from words. `needsWords`: as of `parseSubmission`. Throws `UserError` for what is
 * wrong.
 */
export function wordsSubmission(
  options: SubmissionOptions,
  own: MemberDefaults,
  { settings }: Terms,
  { texts, context }: Invocation,
  { needsWords = true } = {},
): Submission {
  const { bounds } = context.requests.limits;
  const chosen = context.offers.of(settings.workflows);
  const decided = withDefaults(options, { own, settings, bounds, offers: chosen });
  return parseSubmission(decided, texts, {
    mostPixels: mostPixels([bounds, settings]),
    offers: context.offers.of(),
    named: chosen,
    needsWords,
  });
}
