import { explainFailures } from '../../src/delivery/explain-failure.ts';
import { linkToJob } from '../../src/delivery/render-redirect.ts';
import { rowsOf } from '../../src/messages/buttons.ts';
import type { Message } from '../../src/messages/message.ts';
import type { Invocation } from './invocation.ts';

/** What has become of the job that a draft became, in place of the question about it: a draft becomes one job only. */
export async function describeBegun(
  jobId: string,
  { texts, context }: Pick<Invocation, 'texts' | 'context'>,
): Promise<Message> {
  const { tracker } = context.pictures;
  const { nextSteps } = context;
  const { confirm } = texts;
  const job = await tracker.find(jobId);
  if (!job) return { content: confirm.begun.developing(undefined) };
  const again = rowsOf(nextSteps.repeat?.(jobId, texts.picture.tryAgain));
  switch (job.state) {
    case 'asked':
      // Its row may say so while it runs.
      if (tracker.progressOf(jobId)) return { content: confirm.begun.developing(linkToJob(job)) };
      return { content: confirm.begun.lost, rows: again };
    case 'failed':
      return {
        content: [confirm.begun.failed, ...explainFailures(job, { forAll: false }, texts)].join(' '),
        rows: again,
      };
    case 'cancelled':
      return { content: confirm.begun.cancelled, rows: again };
    default:
      return { content: confirm.begun[job.state](linkToJob(job)) };
  }
}
