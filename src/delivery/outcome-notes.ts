import type { Job } from '../jobs/job.ts';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';

/** How many things are named that a picture does not show. */
const MOST_NAMED = 6;

/** What is to be said below the picture, in small print, line by line. */
export function outcomeNotes(job: Job, { sketch }: Texts): string[] {
  const missing = job.tasks.flatMap((task) => (task.state === 'completed' ? (task.notDrawn ?? []) : []));
  const named = [...new Set(missing)].slice(0, MOST_NAMED).map((name) => foreignText(name));
  if (named.length === 0) return [];
  const how = job.submission.workflow === 'rr3' ? sketch.rr3 : sketch.realModel;
  return [`${sketch.notDrawn(named.join(', '))} ${how}`];
}
