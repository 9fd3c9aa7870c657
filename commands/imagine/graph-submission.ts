import type { Submission } from '@darkroom/image-api';
import type { Invocation } from '../../src/bot/command.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/bot/submission.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { demandsOf } from '../../src/graphs/graph-demands.ts';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import { findBlockedWord } from '../../src/guilds/blocked-words.ts';
import { taskSubmission } from '../../src/jobs/task-submission.ts';
import { verbatim } from '../../src/messages/message.ts';
import { areaOf, formatSize } from '../../src/messages/size.ts';
import { withDefaults } from './defaults.ts';
import type { Terms } from './terms.ts';

/** What a graph says itself. */
const WITHOUT_EFFECT = ['workflow', 'steps', 'cfg', 'model'] as const;

/**
 * What is filled into a graph: its words, and the size where it has a place for one. Throws `UserError` where an option has
 * no effect, and where the server does not allow what the graph says.
 */
export function graphSubmission(
  options: SubmissionOptions,
  graph: NamedGraph,
  terms: Terms,
  invocation: Invocation,
): Submission {
  const { texts, context } = invocation;
  const { uses } = graph;
  const idle = [
    ...WITHOUT_EFFECT,
    ...(uses.includes('width') || uses.includes('height') ? [] : ['size' as const]),
    ...(uses.includes('negative_prompt') ? [] : ['negative_prompt' as const]),
  ].filter((option) => options[option] !== undefined);
  if (idle.length > 0) throw new UserError(texts.graph.noEffect(idle));
  const { settings } = terms;
  const sized = withDefaults(options, { own: {}, settings, bounds: context.limits.bounds });
  const { prompt, negative_prompt, width, height, seed } = parseSubmission(
    { ...options, size: sized.size },
    texts,
  );
  const submission: Submission = {
    prompt,
    ...(uses.includes('negative_prompt') && negative_prompt !== undefined && { negative_prompt }),
    ...((uses.includes('width') || uses.includes('height')) && { width, height }),
    ...(seed !== undefined && { seed }),
  };
  checkGraph(submission, graph, terms, invocation);
  return submission;
}

/** What the server allows holds for the graph as it is sent. */
function checkGraph(
  submission: Submission,
  graph: NamedGraph,
  { settings }: Terms,
  { texts: { rules, graph: texts }, context }: Invocation,
): void {
  const { prompt: filled } = taskSubmission({ submission, graph }, { seed: submission.seed ?? 0 });
  const word =
    findBlockedWord({ prompt: filled }, settings.blockedWords) ??
    findBlockedWord({ prompt: graph.name }, settings.blockedWords);
  if (word !== undefined) throw new UserError(rules.blockedWord(verbatim(word)));
  if (typeof filled === 'string') return;
  const { area, steps, unread } = demandsOf(filled);
  for (const { largestSize, mostSteps } of [context.limits.bounds, settings]) {
    if (largestSize && area > areaOf(largestSize))
      throw new UserError(texts.tooManyPixels(formatSize(largestSize)));
    if (mostSteps !== undefined && steps > mostSteps) throw new UserError(texts.tooManySteps(mostSteps));
    if (unread !== undefined && (largestSize || mostSteps !== undefined)) {
      throw new UserError(texts.unread(unread));
    }
  }
}
