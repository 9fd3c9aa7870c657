import { BATCH_INPUTS, type GraphDemands } from '../../src/graphs/graph-demands.ts';
import type { Job } from '../../src/jobs/job.ts';
import { areaOf, formatSize } from '../../src/limits/size.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { explainGraphProblem } from '../../src/messages/graph-texts.ts';
import { verbatim } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { MAX_PICTURES } from '../../src/requests/imagine-options.ts';
import type { Inspection } from '../../src/requests/inspection/inspect.ts';
import type { Invocation } from './invocation.ts';
import { checkAllowed, type Rules } from './rules.ts';

/** What is drawn, or was. */
type Drawn = Pick<Inspection, 'submission' | 'graph' | 'tasks'> & Pick<Job, 'input'>;

/**
 * Rejects with `UserError` where the server does not allow it. `count`: how often it is drawn; once for each task
 * unless given.
 */
export async function checkDrawn<Options>(
  invocation: Invocation<Options>,
  { submission, input, graph, tasks, count = tasks.length }: Drawn & { count?: number },
  rules: Rules,
) {
  const { caller, texts, context } = invocation;
  if (!graph) checkAllowed(invocation, { submission, input }, rules);
  const { blockedWords } = rules.settings;
  const asked = {
    submission,
    graph,
    tasks: tasks.map(({ seed, prompt }) => ({ seed, prompt })),
    blockedWords,
  };
  const { problem, graph: found } = await context.requests.inspector.inspect(caller.member.id, asked);
  if (problem)
    throw new UserError(
      problem.kind === 'word'
        ? texts.rules.blockedWord(verbatim(problem.word))
        : explainGraphProblem(problem, texts),
    );
  for (const demands of found?.demands ?? []) checkDemands(invocation, demands, count, rules);
  /** `batch`: how many pictures each task draws. */
  return { batch: found?.demands[0]?.batch.amount ?? 1, description: found?.description };
}

function checkDemands(
  { texts: { graph: texts }, context }: Invocation,
  { area, steps, batch, unread }: GraphDemands,
  count: number,
  { settings }: Rules,
): void {
  const many = unread.find(({ input }) => BATCH_INPUTS.includes(input));
  if (many) throw new UserError(texts.unreadBatch(foreignText(many.node), many.input, MAX_PICTURES));
  if (batch.amount > 1 && batch.amount * count > MAX_PICTURES) {
    const pictures = batch.amount * count;
    throw new UserError(texts.tooManyPictures(foreignText(batch.node), batch.amount, pictures, MAX_PICTURES));
  }
  for (const { largestSize, mostSteps } of [context.requests.limits.bounds, settings]) {
    if (largestSize && area.amount > areaOf(largestSize))
      throw new UserError(texts.tooManyPixels(foreignText(area.node), formatSize(largestSize)));
    if (mostSteps !== undefined && steps.amount > mostSteps)
      throw new UserError(texts.tooManySteps(foreignText(steps.node), mostSteps));
    const hidden = unread.find(({ input }) => (input === 'steps' ? mostSteps : largestSize) !== undefined);
    if (hidden) {
      const node = foreignText(hidden.node);
      throw new UserError(
        hidden.input === 'upscale_model' ? texts.unreadModel(node) : texts.unread(node, hidden.input),
      );
    }
  }
}
