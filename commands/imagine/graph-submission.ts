import type { Submission } from '@darkroom/image-api';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/requests/submission.ts';
import { withDefaults } from './defaults.ts';
import type { Invocation } from './invocation.ts';
import type { Terms } from './terms.ts';

/** What a graph says itself. */
const WITHOUT_EFFECT = ['workflow', 'steps', 'cfg', 'model'] as const;

/**
 * What is filled into a graph: its words, and the size where it has a place for one. Throws `UserError` where an
 * option has no effect.
 */
export function graphSubmission(
  options: SubmissionOptions,
  { uses }: NamedGraph,
  { settings }: Terms,
  invocation: Invocation,
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
    ...(uses.includes('negative_prompt') && negative_prompt !== undefined && { negative_prompt }),
    ...((uses.includes('width') || uses.includes('height')) && { width, height }),
    ...(seed !== undefined && { seed }),
  };
}
