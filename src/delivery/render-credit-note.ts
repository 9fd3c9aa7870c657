import type { Job } from '../jobs/job.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { concernsCredits, explainFailures } from './explain-failure.ts';
import { remediesOf } from './outcome-buttons.ts';
import { headline } from './prompt-text.ts';

/** What stands publicly without a word about credits, with it, to who asked alone. */
export function renderCreditNote(job: Job, texts: Texts, nextSteps: OfferedSteps): Message {
  const concerned = { ...job, tasks: job.tasks.filter(concernsCredits) };
  return {
    content: [
      texts.failure.heading(headline(concerned, texts)),
      ...explainFailures(concerned, { forAll: false }, texts),
    ].join('\n'),
    rows: rowsOf(...remediesOf(concerned, texts, nextSteps)),
  };
}
