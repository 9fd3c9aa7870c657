import type { Submission } from '@darkroom/image-api';
import { demandsOf, type GraphDemands } from '../../src/graphs/graph-demands.ts';
import type { NamedGraph } from '../../src/graphs/named-graph.ts';
import { taskSubmission } from '../../src/jobs/task-submission.ts';
import { areaOf, formatSize } from '../../src/limits/size.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { verbatim } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { MAX_PICTURES } from '../../src/requests/options.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/requests/submission.ts';
import { withDefaults } from './defaults.ts';
import type { Invocation } from './invocation.ts';
import type { Terms } from './terms.ts';

/** What a graph says itself. */
const WITHOUT_EFFECT = ['workflow', 'steps', 'cfg', 'model'] as const;

/**
 * What is filled into a graph, which is to run `count` times: its words, and the size where it has a place for one; and how
 * many pictures it draws each time. Throws `UserError` where an option has no effect, and where the server does not allow what
 * the graph says.
 */
export function graphSubmission(
  options: SubmissionOptions,
  { graph, count }: { graph: NamedGraph; count: number },
  terms: Terms,
  invocation: Invocation,
): { submission: Submission; batch: number } {
  const { texts, context } = invocation;
  const { uses } = graph;
  const idle = [
    ...WITHOUT_EFFECT,
    ...(uses.includes('width') || uses.includes('height') ? [] : ['size' as const]),
    ...(uses.includes('negative_prompt') ? [] : ['negative_prompt' as const]),
  ].filter((option) => options[option] !== undefined);
  if (idle.length > 0) throw new UserError(texts.graph.noEffect(idle));
  const { settings } = terms;
  const sized = withDefaults(options, { own: {}, settings, bounds: context.requests.limits.bounds });
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
  const filled = taskSubmission({ submission, graph }, { seed: seed ?? 0 });
  return { submission, batch: checkGraph(filled, { graph, count }, terms, invocation) };
}

/** Throws `UserError` where the server does not allow a graph as it is sent, `count` times. How many pictures it draws each time. */
export function checkGraph(
  filled: Submission,
  { graph, count }: { graph: NamedGraph; count: number },
  terms: Terms,
  invocation: Invocation,
): number {
  checkWords(filled, graph, terms, invocation);
  const demands = typeof filled.prompt === 'string' ? undefined : demandsOf(filled.prompt);
  if (demands) checkDemands(demands, count, terms, invocation);
  return demands?.batch.amount ?? 1;
}

function checkWords(
  filled: Pick<Submission, 'prompt'>,
  graph: NamedGraph,
  { blockedWords }: Terms,
  { texts: { rules } }: Invocation,
): void {
  const word = blockedWords.findIn(filled) ?? blockedWords.findIn({ prompt: graph.name });
  if (word !== undefined) throw new UserError(rules.blockedWord(verbatim(word)));
}

function checkDemands(
  { area, steps, batch, unread }: GraphDemands,
  count: number,
  { settings }: Terms,
  { texts: { graph: texts }, context }: Invocation,
): void {
  if (batch.amount > 1 && batch.amount * count > MAX_PICTURES) {
    const pictures = batch.amount * count;
    throw new UserError(texts.tooManyPictures(foreignText(batch.node), batch.amount, pictures, MAX_PICTURES));
  }
  for (const { largestSize, mostSteps } of [context.requests.limits.bounds, settings]) {
    if (largestSize && area.amount > areaOf(largestSize))
      throw new UserError(texts.tooManyPixels(foreignText(area.node), formatSize(largestSize)));
    if (mostSteps !== undefined && steps.amount > mostSteps)
      throw new UserError(texts.tooManySteps(foreignText(steps.node), mostSteps));
    if (unread && (largestSize || mostSteps !== undefined)) {
      const node = foreignText(unread.node);
      throw new UserError(
        unread.input === 'upscale_model' ? texts.unreadModel(node) : texts.unread(node, unread.input),
      );
    }
  }
}
