import { isAboutMoney, type Job } from '../jobs/job.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { explainFailure } from './explain-failure.ts';
import { remediesOf } from './outcome-buttons.ts';
import { headline } from './prompt-text.ts';

/** Why some of several pictures could not be paid for, to who asked alone. */
export function renderUnpaid({ tasks: all, ...job }: Job, texts: Texts, nextSteps: OfferedSteps): Message {
  const tasks = all.filter(isAboutMoney);
  const explanations = tasks.flatMap((task) =>
    task.state === 'failed' ? [explainFailure({ ...task, payer: job.payer }, texts)] : [],
  );
  const heading = texts.failure.heading(headline({ ...job, tasks }, texts));
  return {
    content: [heading, ...new Set(explanations)].join('\n'),
    rows: rowsOf(...remediesOf({ ...job, tasks }, texts, nextSteps)),
  };
}
