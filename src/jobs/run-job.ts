import { deliverOutcome, withdrawReply } from './deliver.ts';
import type { FinishedPicture } from './delivery-port.ts';
import { generate } from './generate.ts';
import { isCancelled, isOver, type Job } from './job.ts';
import type { Run } from './run.ts';

/**
 * Takes the job of a run from wherever its row says it is to its end, and resolves with it; every transition is written
 * before the next step. Rejects with the reason of `stopping`: then the row tells the next run where to go on.
 */
export async function runJob(run: Run): Promise<Job> {
  const pictures = await generate(run);
  run.signals.stopping.throwIfAborted();
  return deliver(run, pictures);
}

/**
 * What came out, to the member; of what was cancelled, nothing stays. That a moderator did it is told by the run that has
 * written the end, and by no other: Discord does not say afterwards whether it was, and `/jobs` says it in any case.
 */
export async function deliver(run: Run, pictures: readonly FinishedPicture[]): Promise<Job> {
  const job = run.job();
  const over = await (isCancelled(job) ? withdrawReply(run) : deliverOutcome(run, pictures));
  // What follows a deferred reply takes its place, where everybody reads it, until that is gone.
  if (job.moderated && isOver(over)) await run.deps.delivery.tellCancelled(job, run.signals.stopping);
  return over;
}
