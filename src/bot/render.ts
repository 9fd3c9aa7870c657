import { messageLink, time } from 'discord.js';
import mime from 'mime';
import type { Picture, Place } from '../jobs/delivery.ts';
import type { Failure, Job, JobTask } from '../jobs/job.ts';
import type { Payer } from '../payer.ts';
import type { Texts } from './locale/en.ts';
import { MESSAGE_LIMITS, type Message, type MessageFile, truncate, verbatim } from './message.ts';
import { outcomeButtons } from './outcome-buttons.ts';

/** The colour of a darkroom's safelight. */
const SAFELIGHT = 0xd8452e;
const HEADLINE_CHARACTERS = 200;

/** What stays where the outcome could not be shown: where it is, without any word of the prompt, which may be why. */
export function renderNote(job: Job, place: Place | undefined, texts: Texts): Message {
  if (!place) return { content: texts.handover.waiting };
  if (place.channelId !== job.channelId) return { content: texts.handover.direct };
  return { content: texts.handover.posted(linkToPlace(job, place)) };
}

/** A link to a message of a job. Outside the job's channel it is a direct one. */
export const linkToPlace = ({ guildId, channelId }: Job, place: Place): string =>
  messageLink(place.channelId, place.messageId, (place.channelId === channelId ? guildId : null) ?? '@me');

/**
 * How a job ended: its pictures with what made them, links to those that are too large to attach, an explanation of what
 * failed, and the buttons.
 */
export function renderOutcome(
  job: Job,
  attached: readonly Picture[],
  tooLarge: readonly Picture[],
  texts: Texts,
): Message {
  const failures = job.tasks.filter((task) => task.state === 'failed');
  const explanations = [
    ...new Set(failures.map((task) => explainFailure({ ...task, payer: job.payer }, texts))),
  ];
  const pictures = [...attached, ...tooLarge];
  const rows = outcomeButtons(job, texts);
  if (pictures.length === 0) {
    return { content: [texts.failure.heading(headline(job, texts)), ...explanations].join('\n'), rows };
  }
  const fields = fieldsOf(job, pictures, texts);
  const taken = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  const descriptionLimit = Math.min(MESSAGE_LIMITS.embedDescription, MESSAGE_LIMITS.embedTotal - taken);
  const some =
    failures.length > 0 ? [texts.failure.some(failures.length, job.tasks.length), ...explanations] : [];
  return {
    content: [...some, ...tooLarge.map(({ task }) => linkTo(job.tasks[task], texts))].join('\n'),
    embeds: [
      {
        color: SAFELIGHT,
        description: truncate(verbatim(promptOf(job, texts)), descriptionLimit),
        fields,
      },
    ],
    files: attached.map((picture) => fileOf(job, picture, texts)),
    rows,
  };
}

const promptOf = ({ submission: { prompt } }: Job, texts: Texts): string =>
  typeof prompt === 'string' ? prompt : texts.picture.graphPrompt;

/** The prompt in one line of at most `limit` characters, its markdown shown as it was typed. */
export const headline = (job: Job, texts: Texts, limit = HEADLINE_CHARACTERS): string =>
  truncate(verbatim(promptOf(job, texts).replace(/\s+/g, ' ')), limit);

/** Failures after which nobody here knows whether the task was accepted, or what became of it. */
const MAYBE_CHARGED: ReadonlySet<Failure['kind']> = new Set(['unclear', 'timed-out']);

/** Failures of calls after the task was accepted: whether it cost credits is not known. */
const AFTER_ACCEPTANCE: ReadonlySet<Failure['kind']> = new Set([
  'refused',
  'unauthorized',
  'insufficient-balance',
  'not-found',
  'protocol',
  'blocked',
]);

/** Why there is no picture. `taskId`: of the task that was accepted before it failed; `payer`: by whose key it was to be paid. */
export function explainFailure(
  { failure, taskId, payer }: { failure: Failure; taskId?: string | undefined; payer: Pick<Payer, 'kind'> },
  texts: Texts,
): string {
  const { reason, address: at, reference } = failure;
  // Without a task there is no picture to forget: what the service did not know is the call itself.
  const kind = failure.kind === 'not-found' && taskId === undefined ? 'refused' : failure.kind;
  const why = texts.failure.why[kind];
  const maybeCharged = MAYBE_CHARGED.has(kind) || (taskId !== undefined && AFTER_ACCEPTANCE.has(kind));
  const speaks = reason !== undefined && (kind === 'task-failed' || kind === 'refused');
  return [
    typeof why === 'string' ? why : why[payer.kind],
    ...(speaks ? [texts.failure.said(verbatim(truncate(reason, HEADLINE_CHARACTERS)))] : []),
    ...(maybeCharged ? [texts.failure.mayHaveCost[payer.kind]] : []),
    ...(at === undefined ? [] : [texts.failure.openIt(address(at))]),
    ...(reference === undefined ? [] : [`${texts.failure.reference(reference)}.`]),
  ].join(' ');
}

function fieldsOf(job: Job, pictures: readonly Picture[], texts: Texts) {
  const { width, height, workflow, steps, cfg, model, negative_prompt: without } = job.submission;
  const seeds = pictures.map((picture) => `\`${job.tasks[picture.task]?.seed}\``);
  const fields: [string, string | number | undefined][] = [
    [texts.picture.size, width === undefined || height === undefined ? undefined : `${width} × ${height}`],
    [seeds.length > 1 ? texts.picture.seeds : texts.picture.seed, seeds.join(' ')],
    [texts.picture.workflow, workflow],
    [texts.picture.steps, steps],
    [texts.picture.cfg, cfg],
    [texts.picture.model, model === undefined ? undefined : verbatim(model)],
    [texts.picture.without, without === undefined ? undefined : verbatim(without)],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined || `${value}`.trim() === ''
      ? []
      : [{ name, value: truncate(`${value}`, MESSAGE_LIMITS.embedField), inline: true }],
  );
}

function linkTo(task: JobTask | undefined, texts: Texts): string {
  if (task?.state !== 'completed') return '';
  const until = task.expiresAt === undefined ? undefined : time(new Date(task.expiresAt));
  return texts.picture.tooLarge(address(task.imageUrl), until);
}

/** An address as a link that shows itself. What the service calls one may hold anything. */
const address = (url: string): string => (URL.canParse(url) ? `<${new URL(url).href}>` : verbatim(url));

function fileOf(job: Job, { bytes, contentType, task }: Picture, texts: Texts): MessageFile {
  const seed = job.tasks[task]?.seed ?? task;
  return {
    name: `darkroom-${seed}.${mime.getExtension(contentType) ?? 'bin'}`,
    bytes,
    contentType,
    alt: texts.picture.alt(promptOf(job, texts)),
  };
}
