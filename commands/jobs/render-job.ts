import { hyperlink } from 'discord.js';
import type { APIEmbed } from 'discord-api-types/v10';
import { explainFailures } from '../../src/delivery/explain-failure.ts';
import { isLost, linkToJob } from '../../src/delivery/job-links.ts';
import { whatWasDone } from '../../src/delivery/pictures/lineage.ts';
import type { Thumbnail } from '../../src/delivery/pictures/thumbnails.ts';
import { jobProgressOf, progressLine } from '../../src/delivery/progress/render-progress.ts';
import { headline } from '../../src/delivery/prompt-text.ts';
import { summarizeCancelled } from '../../src/delivery/render-cancelled.ts';
import { completedTasks, isOver, type Job } from '../../src/jobs/job.ts';
import type { TaskProgress } from '../../src/jobs/task-progress.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { truncateLinked } from '../../src/messages/message.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';

/** One line on a desktop, two beside a picture on a phone. */
const HEADLINE_CHARACTERS = 50;
const WHY_CHARACTERS = 200;

/** Discord's own green, blue and red for what runs, waits, and failed; what is over as it should be has none. */
const RUNS = { color: 0x23a55a };
const COLOURS: Readonly<Record<Job['state'], Pick<APIEmbed, 'color'>>> = {
  asked: RUNS,
  developing: RUNS,
  delivering: RUNS,
  waiting: { color: 0x5865f2 },
  failed: { color: 0xda373c },
  delivered: {},
  cancelled: {},
};

/** What is known of a job beyond its row. */
interface Known {
  /** How far its tasks are, where this process follows it. */
  progress: readonly TaskProgress[] | undefined;
  thumbnail: Thumbnail | undefined;
  /** What it was made from. */
  line: string | undefined;
  now: number;
}

/** A job on a page: its words in one line, what has become of it, and its picture. */
export function renderJob(job: Job, number: number, known: Known, texts: Texts): APIEmbed {
  const { thumbnail, line } = known;
  return {
    ...COLOURS[job.state],
    description: [
      `**${number}.** ${headline(job, texts, HEADLINE_CHARACTERS)}`,
      ...statusOf(job, known, texts),
      ...(line === undefined ? [] : [`-# ${texts.actions.from}: ${line}`]),
      `-# ${factsOf(job, known, texts).join(' · ')}`,
    ].join('\n'),
    ...(thumbnail?.state === 'found' && { thumbnail: { url: thumbnail.url } }),
  };
}

/** A line on what is not simply there: how far it is, or why it came to nothing. */
function statusOf(job: Job, { progress, now }: Known, texts: Texts): string[] {
  if (progress && !isOver(job) && job.state !== 'waiting')
    return [progressLine(job, jobProgressOf(job, progress, now), texts)];
  if (job.state === 'cancelled') return [summarizeCancelled(job, texts)];
  const failed = job.tasks.filter(({ state }) => state === 'failed').length;
  if (!isOver(job) || failed === 0) return job.state === 'delivered' ? [] : [texts.jobs.state[job.state]];
  const why = truncateLinked(explainFailures(job, { forAll: false }, texts).join(' '), WHY_CHARACTERS);
  return failed === job.tasks.length
    ? [why]
    : [texts.failure.someFailed(failed, job.tasks.length, true), why];
}

function factsOf(job: Job, { thumbnail, now }: Known, texts: Texts): string[] {
  const { jobs, outcome } = texts;
  const made = completedTasks(job).length;
  const link = linkToJob(job);
  // Of what everybody sees, its message is asked.
  const isGone = thumbnail?.state === 'gone' || (job.private && job.removed === true);
  const done = made > 0 ? whatWasDone(job, texts) : undefined;
  return [
    relativeTime(job.createdAt),
    ...(done === undefined ? [] : [done]),
    ...(job.state === 'delivered' && made > 1 ? [jobs.pictures(made)] : []),
    ...(job.graph ? [outcome.graph(foreignText(job.graph.name))] : []),
    ...(job.private ? [jobs.private] : []),
    ...(isLost(job, now) ? [jobs.lost] : []),
    ...(isGone ? [jobs.gone] : link ? [hyperlink(jobs.open, link)] : []),
  ];
}
