import { time } from 'discord.js';
import mime from 'mime';
import type { JobPicture } from '../jobs/delivery-port.ts';
import type { Job, JobTask } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import {
  bareLink,
  MESSAGE_LIMITS,
  type Message,
  type MessageFile,
  truncate,
  verbatim,
} from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { explainFailure } from './explain-failure.ts';
import { outcomeButtons } from './outcome-buttons.ts';
import { headline, promptText } from './prompt-text.ts';

/** The colour of a darkroom's safelight. */
const SAFELIGHT = 0xd8452e;

/**
 * How a job ended: its pictures with what made them, links to those that are too large to attach, an explanation of what
 * failed, and the buttons.
 */
export function renderOutcome(
  job: Job,
  attached: readonly JobPicture[],
  tooLarge: readonly JobPicture[],
  texts: Texts,
  nextSteps: OfferedSteps,
): Message {
  const failures = job.tasks.filter((task) => task.state === 'failed');
  const explanations = [
    ...new Set(failures.map((task) => explainFailure({ ...task, payer: job.payer }, texts))),
  ];
  const pictures = [...attached, ...tooLarge];
  const rows = outcomeButtons(job, texts, nextSteps);
  if (pictures.length === 0) {
    return { content: [texts.failure.heading(headline(job, texts)), ...explanations].join('\n'), rows };
  }
  const fields = fieldsOf(job, pictures, texts);
  const taken = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  const descriptionLimit = Math.min(MESSAGE_LIMITS.embedDescription, MESSAGE_LIMITS.embedTotal - taken);
  const some =
    failures.length > 0 ? [texts.failure.someFailed(failures.length, job.tasks.length), ...explanations] : [];
  return {
    content: [...some, ...tooLarge.map(({ task }) => linkTo(job, job.tasks[task], texts))].join('\n'),
    embeds: [
      {
        color: SAFELIGHT,
        description: truncate(verbatim(promptText(job, texts)), descriptionLimit),
        fields,
      },
    ],
    files: attached.map((picture) => fileOf(job, picture, texts)),
    rows,
  };
}

function fieldsOf(job: Job, pictures: readonly JobPicture[], texts: Texts) {
  const { width, height, workflow, steps, cfg, model, negative_prompt: without } = job.submission;
  const seeds = pictures.map((picture) => `\`${job.tasks[picture.task]?.seed}\``);
  const fields: [string, string | number | undefined][] = [
    [texts.picture.size, width === undefined || height === undefined ? undefined : `${width} × ${height}`],
    [seeds.length > 1 ? texts.picture.seeds : texts.picture.seed, seeds.join(' ')],
    [texts.picture.workflow, workflow],
    [texts.picture.steps, steps],
    [texts.picture.cfg, cfg],
    [texts.picture.model, model === undefined ? undefined : verbatim(model)],
    [texts.picture.negativePrompt, without === undefined ? undefined : verbatim(without)],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined || `${value}`.trim() === ''
      ? []
      : [{ name, value: truncate(`${value}`, MESSAGE_LIMITS.embedField), inline: true }],
  );
}

function linkTo(job: Job, task: JobTask | undefined, texts: Texts): string {
  if (task?.state !== 'completed') return '';
  const until = task.expiresAt === undefined ? undefined : time(new Date(task.expiresAt));
  const link = bareLink(task.imageUrl);
  return texts.picture.tooLarge(isSpoiler(job, task) ? `||${link}||` : link, until);
}

/** A picture that the service has flagged, where its server wants it behind a spoiler. */
const isSpoiler = ({ flagged }: Job, task: JobTask | undefined): boolean =>
  flagged === 'spoiler' && task?.state === 'completed' && task.flagged === true;

function fileOf(job: Job, { bytes, contentType, task }: JobPicture, texts: Texts): MessageFile {
  const seed = job.tasks[task]?.seed ?? task;
  return {
    // Discord hides a file of this name until somebody looks at it.
    name: `${isSpoiler(job, job.tasks[task]) ? 'SPOILER_' : ''}darkroom-${seed}.${mime.getExtension(contentType) ?? 'bin'}`,
    bytes,
    contentType,
    alt: texts.picture.alt(promptText(job, texts)),
  };
}
