import type { Clock } from '../../clock.ts';
import type { TaskProgress } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import type { Log } from '../../log.ts';
import { textsFor } from '../locale/texts.ts';
import type { Message } from '../message.ts';
import { renderHandover, renderProgress } from '../progress.ts';
import { createEdits, type Shown } from './edits.ts';
import { tokenClosesAt } from './token.ts';
import { askedToWaitMs, verdictOn } from './verdict.ts';
import type { Way } from './ways.ts';

/** How long before its token closes a reply says how the picture will come: time for attempts that fail. */
const HANDOVER_MS = 60_000;

/** What a reply says until the outcome is there: how far the job is, and before its token dies, how the picture will come. */
export interface ProgressReports {
  show(job: Job, progress: readonly TaskProgress[]): void;
  /** Nothing further is shown; resolves when nothing is in flight. */
  finish(id: string): Promise<void>;
}

export function createProgressReports({
  clock,
  log,
  wayTo,
  attempt,
}: {
  clock: Clock;
  log: Log;
  /** To the reply of a job, where it can be reached now. */
  wayTo: (job: Job) => Way | undefined;
  /** Ends by itself. Rejects as the way does. */
  attempt: (way: Way, message: Message) => Promise<unknown>;
}): ProgressReports {
  interface Report {
    job: Job;
    over: AbortController;
  }
  const reports = new Map<string, Report>();
  const edits = createEdits({ clock, send });

  async function send(id: string, message: Message): Promise<Shown> {
    const job = reports.get(id)?.job;
    const way = job && wayTo(job);
    if (!way) return 'useless';
    try {
      await attempt(way, message);
      return 'shown';
    } catch (error) {
      log.debug({ err: error, job: id }, 'a progress edit failed');
      return verdictOn(error) === 'passing' ? { waitMs: askedToWaitMs(error) } : 'useless';
    }
  }

  const handoverAt = (job: Job) => tokenClosesAt(job) - HANDOVER_MS;

  function handOver(job: Job): void {
    edits.show(job, renderHandover(job, textsFor(job.member.locale)), { urgent: true });
  }

  /** A service that hangs gives no occasion to show anything. */
  function begin(job: Job): Report {
    const report: Report = { job, over: new AbortController() };
    reports.set(job.id, report);
    clock.sleep(Math.max(0, handoverAt(job) - clock.now()), report.over.signal).then(
      () => handOver(report.job),
      () => undefined,
    );
    return report;
  }

  return {
    show(job, progress) {
      const report = reports.get(job.id) ?? begin(job);
      report.job = job;
      const now = clock.now();
      if (now >= handoverAt(job)) handOver(job);
      else edits.show(job, renderProgress(job, progress, textsFor(job.member.locale), now));
    },
    async finish(id) {
      reports.get(id)?.over.abort();
      await edits.finish(id);
      reports.delete(id);
    },
  };
}
