import { time, userMention } from 'discord.js';
import mime from 'mime';
import type { JobPicture } from '../jobs/delivery-port.ts';
import { isBehindSpoiler, type Job, type JobTask } from '../jobs/job.ts';
import { rowsOf } from '../messages/buttons.ts';
import type { Texts } from '../messages/locale/en.ts';
import { bareLink, type Message, type MessageFile } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { explainFailures } from './explain-failure.ts';
import { outcomeButtons } from './outcome-buttons.ts';
import { outcomeNotes } from './outcome-notes.ts';
import { excerptPrompts, headline, promptText } from './prompt-text.ts';
import { linkToMessage } from './render-redirect.ts';

/** The colour of a darkroom's safelight. */
const SAFELIGHT = 0xd8452e;

/**
 * How a job ended: who asked, its pictures with what made them, links to those that are too large to attach, an explanation of
 * what failed, and the buttons. What was refused for somebody's money or key is said to them alone.
 */
export function renderOutcome(
  job: Job,
  attached: readonly JobPicture[],
  tooLarge: readonly JobPicture[],
  texts: Texts,
  nextSteps: OfferedSteps,
): Message {
  const pictures = [...attached, ...tooLarge].toSorted((one, other) => one.task - other.task);
  const failed = job.tasks.filter(({ state }) => state === 'failed').length;
  const explanations = explainFailures(job, { forAll: !job.private }, texts);
  const rows = outcomeButtons(job, texts, nextSteps);
  if (pictures.length === 0) {
    const heading = texts.failure.heading(headline(job, texts));
    return { content: [inOneLine(whoseOf(job, texts), heading), ...explanations].join('\n'), rows };
  }
  const prompt = excerptPrompts(
    job,
    pictures.map(({ task }) => task),
    texts,
  );
  const some = texts.failure.someFailed(failed, job.tasks.length, explanations.length > 0);
  return {
    content: [
      inOneLine(whoseOf(job, texts)),
      ...(failed > 0 ? [some, ...explanations] : []),
      ...tooLarge.map(({ task }) => linkTo(job, job.tasks[task], texts)),
    ]
      .filter(Boolean)
      .join('\n'),
    embeds: [
      {
        color: SAFELIGHT,
        description: [prompt.text, ...outcomeNotes(job, texts).map((note) => `-# ${note}`)].join('\n'),
        footer: { text: factsOf(job, pictures, texts).join(' · ') },
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
  return inOneLine(
    job.private ? undefined : userMention(member.id),
    parent?.message && outcome.after(linkToMessage(job, parent.message)),
  );
}

/** What one likes to know at a glance. */
function factsOf(job: Job, pictures: readonly JobPicture[], { outcome }: Texts): string[] {
  const { submission, graph } = job;
  const { width, height, workflow } = submission;
  const seeds = new Set(pictures.map(({ task }) => `${job.tasks[task]?.seed}`));
  return [
    ...(width === undefined || height === undefined ? [] : [`${width} × ${height}`]),
    outcome.seeds([...seeds].join(', '), seeds.size),
    ...(graph ? [outcome.graph(graph.name)] : workflow === undefined ? [] : [workflow]),
  ];
}

function linkTo(job: Job, task: JobTask | undefined, texts: Texts): string {
  if (task?.state !== 'completed') return '';
  const until = task.expiresAt === undefined ? undefined : time(new Date(task.expiresAt));
  const link = bareLink(task.imageUrl);
  return texts.picture.tooLarge(isBehindSpoiler(job, task) ? `||${link}||` : link, until);
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
    contentType,
    alt: all.length > 1 ? texts.outcome.alt(prompt, nth, all.length) : prompt,
  };
}
