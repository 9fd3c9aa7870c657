import { time, userMention } from 'discord.js';
import mime from 'mime';
import type { JobPicture } from '../jobs/delivery-port.ts';
import { sizeOfResult } from '../jobs/input.ts';
import { isBehindSpoiler, type Job } from '../jobs/job.ts';
import type { JobTask } from '../jobs/job-task.ts';
import { rowsOf } from '../messages/buttons.ts';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message, MessageFile } from '../messages/message.ts';
import type { OfferedActions, OfferedSteps } from '../messages/next-steps.ts';
import { concernsCredits, explainFailures, failureLines } from './explain-failure.ts';
import { linkToMessage, linkToPicture } from './job-links.ts';
import { outcomeButtons, remediesOf } from './outcome-buttons.ts';
import { wasMadeFrom, whatWasDone } from './pictures/lineage.ts';
import { excerptPrompts, headline, promptText } from './prompt-text.ts';

/**
 * How a job ended: who asked, its pictures with what made them, links to those that are too large to attach, an
 * explanation of what failed, and the buttons. What was refused for somebody's money or key is said to them alone.
 */
export function renderOutcome(
  job: Job,
  attached: readonly JobPicture[],
  tooLarge: readonly JobPicture[],
  texts: Texts,
  nextSteps: OfferedSteps,
  offered?: OfferedActions,
): Message {
  const pictures = [...attached, ...tooLarge].toSorted((one, other) => one.task - other.task);
  const failures = failureLines(job, { forAll: !job.private }, texts);
  const rows = outcomeButtons(job, texts, nextSteps, offered);
  if (pictures.length === 0) {
    const heading = texts.failure.heading(headline(job, texts));
    return { content: [inOneLine(whoseOf(job, texts), heading), ...failures].join('\n'), rows };
  }
  const shown = pictures.map(({ task }) => task);
  const prompt = excerptPrompts(job, shown, texts);
  const facts = factsOf(job, texts);
  return {
    content: [
      inOneLine(whoseOf(job, texts)),
      ...failures,
      ...new Set(tooLarge.map(({ task }) => linkTo(job, job.tasks[task], texts))),
    ]
      .filter(Boolean)
      .join('\n'),
    embeds: [
      {
        description: [prompt.text, ...notesOf(job, texts).map((note) => `-# ${note}`)].join('\n'),
        ...(facts !== '' && { footer: { text: facts } }),
      },
    ],
    files: attached.map((picture) => fileOf(job, picture, pictures, texts)),
    rows: [...rows, ...(prompt.isCut ? rowsOf(nextSteps.showPrompt?.(job.id, texts)) : [])],
  };
}

const inOneLine = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' · ');

/** Who asked, where others can see it, and what it was made from. An edit notifies nobody. */
function whoseOf(job: Job, { outcome }: Texts): string {
  const { parent, member } = job;
  const link = parent?.message && linkToMessage(job, parent.message);
  return inOneLine(
    job.private ? undefined : userMention(member.id),
    wasMadeFrom(job) ? outcome.from(link, parent?.varied === true) : undefined,
  );
}

/** What one likes to know at a glance. */
function factsOf(job: Job, texts: Texts): string {
  const { graph, submission } = job;
  const size = sizeOfResult(job);
  return inOneLine(
    size && `${size.width} × ${size.height}`,
    whatWasDone(job, texts),
    graph ? texts.outcome.graph(graph.name) : submission.workflow,
  );
}

function linkTo(job: Job, task: JobTask | undefined, texts: Texts): string {
  if (task?.state !== 'completed') return '';
  const until = task.expiresAt === undefined ? undefined : time(new Date(task.expiresAt));
  return texts.picture.tooLarge(linkToPicture(job, task, task.imageUrl), until);
}

/** A picture as a file of a message. `all`: those that are shown with it. */
export function fileOf(
  job: Job,
  { bytes, contentType, task }: JobPicture,
  all: readonly JobPicture[],
  texts: Texts,
): MessageFile {
  const seed = job.tasks[task]?.seed ?? task;
  const prompt = promptText(job, texts, task);
  const nth = all.findIndex((picture) => picture.task === task) + 1;
  return {
    // Discord hides a file of this name until somebody looks at it.
    name: `${isBehindSpoiler(job, job.tasks[task]) ? 'SPOILER_' : ''}darkroom-${seed}.${mime.getExtension(contentType) ?? 'bin'}`,
    bytes,
    alt: all.length > 1 ? texts.outcome.alt(prompt, nth, all.length) : prompt,
  };
}

/** How many things are named that a picture does not show. */
const MOST_NAMED = 6;

/** What is to be said below the picture, in small print, line by line. */
function notesOf(job: Job, { sketch, source }: Texts): string[] {
  const missing = job.tasks.flatMap((task) => (task.state === 'completed' ? (task.notDrawn ?? []) : []));
  const named = [...new Set(missing)].slice(0, MOST_NAMED).map((name) => foreignText(name));
  return [
    ...(job.input?.animated ? [source.firstFrame] : []),
    ...(named.length > 0 ? [sketch.missing(named.join(', '))] : []),
  ];
}

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
