import { shownFile } from '../../src/delivery/pictures/shown-pictures.ts';
import {
  aloneAt,
  completedTasks,
  type Job,
  type MessageLocation,
  outcomeAt,
  type Parent,
} from '../../src/jobs/job.ts';
import { isShownTo } from '../../src/jobs/job-request.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { decodeJobId } from './cancel.ts';
import type { Invocation } from './invocation.ts';

/**
 * The job that a button belongs to, where the caller can have that button before them: whoever sends another id
 * learns nothing of what was asked. Undefined otherwise.
 */
export async function findShownJob(
  { caller, message, context }: Invocation,
  jobId: string | undefined,
): Promise<Job | undefined> {
  const found = await context.pictures.tracker.find(jobId ?? '');
  // Published by a process that ended before it had written so.
  const isPublic =
    found?.publishing !== undefined && message?.ephemeral === false && message.channelId === found.channelId;
  const job = isPublic
    ? await context.pictures.publications.notePublic(found, {
        channelId: message.channelId,
        messageId: message.id,
      })
    : found;
  return job && isShownTo(caller, job) ? job : undefined;
}

/** As `findShownJob`; throws `UserError` where there is none. */
export async function shownJob(invocation: Invocation, jobId: string | undefined): Promise<Job> {
  const job = await findShownJob(invocation, jobId);
  if (!job) throw new UserError(invocation.texts.actions.gone);
  return job;
}

interface Removal {
  /** One of the pictures, which may stand alone. */
  task?: number | undefined;
  /** A form was open since. */
  afterForm?: boolean;
}

/**
 * Whether the outcome of a job was deleted, and the picture of `task` with it. A message that everybody sees stands
 * there still when its button is pressed; the one with the outcome is looked up all the same where its row says that
 * it was deleted, or a form was open since.
 *
 * It may ask Discord, for a second and a half, and is waited for before the first answer of what begins with the
 * picture: that answer says for good who reads it. A public one that is taken back would have shown everybody that
 * something was made of a deleted picture, and a form can only be a first answer. Who answers privately in any case
 * acknowledges first, and asks then.
 */
export async function isRemoved(
  { message, context }: Invocation,
  job: Job,
  { task, afterForm = false }: Removal = {},
): Promise<boolean> {
  if (message?.ephemeral !== false) return context.pictures.removedPictures.has(job, task);
  if (message.id !== outcomeAt(job)?.messageId) return false;
  return afterForm || job.removed ? context.pictures.removedPictures.has(job, task) : false;
}

/** Throws `UserError` where it was. */
export async function checkNotRemoved(invocation: Invocation, job: Job, options?: Removal): Promise<void> {
  if (await isRemoved(invocation, job, options)) throw new UserError(invocation.texts.actions.removed);
}

/**
 * The one completed task whose picture a message shows: the only one, or the one that stands alone there. Undefined
 * where there are several, or none.
 */
export function taskIn({ message }: Invocation, job: Job): number | undefined {
  const completed = completedTasks(job);
  if (completed.length === 1) return completed[0];
  const [task, ...others] = completed.filter((index) => shownFile(job, index, message?.files ?? []));
  return others.length > 0 ? undefined : task;
}

/**
 * Has it written down where everybody sees that the picture of `task`, which is `taskIn` of this message, stands alone
 * there. Nobody waits for it.
 */
export function noteIfAlone(invocation: Invocation, job: Job, task: number): void {
  const { message } = invocation;
  if (!message || message.ephemeral || job.private || message.id === outcomeAt(job)?.messageId) return;
  if (completedTasks(job).length === 1) return;
  void noteAlone(invocation, job, task, { channelId: message.channelId, messageId: message.id });
}

/**
 * Writes that a picture stands alone in a message that everybody sees, with its job and with what of it is reported.
 * Never rejects: where that cannot be written, the next press under that message does.
 */
export async function noteAlone(
  { context: { pictures, moderation, log } }: Invocation,
  job: Job,
  task: number,
  posted: MessageLocation,
): Promise<void> {
  const { id: jobId, guildId, alone = [] } = job;
  try {
    if (guildId !== null && !alone.some(({ messageId }) => messageId === posted.messageId))
      await moderation.reports.noteCopy({ guildId, jobId }, posted);
    await pictures.removedPictures.noteAlone(job, task, posted);
  } catch (error) {
    log.warn({ err: error, job: jobId }, 'where a picture stands alone is not written');
  }
}

/** The id of the job that a message of ours shows, finished or not, by the buttons under it. */
export function jobIdIn(customIds: readonly string[]): string | undefined {
  for (const id of customIds) {
    const [, jobId] =
      /^imagine:(?:again|edit|publish|more|only|vary|pick|of|expand):(\d{17,20})(?=:|$)/.exec(id) ?? [];
    if (jobId !== undefined) return jobId;
    const [, cancelled] = /^imagine:cancel:([0-9a-z]{9,14})$/.exec(id) ?? [];
    if (cancelled !== undefined) return decodeJobId(cancelled);
  }
  return undefined;
}

function namedByMore(customIds: readonly string[]) {
  for (const id of customIds) {
    const [, ownerId, makerId] = /^imagine:more:\d+:(\d{17,20})(?::(\d{17,20}))?$/.exec(id) ?? [];
    if (ownerId !== undefined) return { ownerId, makerId };
  }
  return undefined;
}

/** Who may delete a message of ours beside moderators, by the buttons under it. */
export const ownerIdIn = (customIds: readonly string[]): string | undefined =>
  namedByMore(customIds)?.ownerId;

/**
 * Who made the picture in a message of ours, likewise. Undefined where they do not say it: under one that stands alone
 * earlier versions named nobody but who had posted it.
 */
export function makerIdIn(customIds: readonly string[]): string | undefined {
  const { ownerId, makerId } = namedByMore(customIds) ?? {};
  const standsAlone = customIds.length === 2 && customIds.some((id) => id.startsWith('imagine:vary:'));
  return makerId ?? (standsAlone ? undefined : ownerId);
}

/** From which picture something is made: with the message that shows it, if everybody there can see that. */
export function parentOf(invocation: Invocation, job: Job, task?: number): Parent {
  const message = publicLocation(invocation, job, task);
  return { jobId: job.id, ...(task !== undefined && { task }), ...(message && { message }) };
}

/**
 * Where everybody sees a picture: in the message whose button was pressed, else where it was posted; where that was
 * deleted, where the one of `task` stands alone.
 */
export function publicLocation(
  { message }: Partial<Pick<Invocation, 'message'>>,
  job: Job,
  task?: number,
): MessageLocation | undefined {
  if (job.private) return undefined;
  if (message && !message.ephemeral) return { channelId: message.channelId, messageId: message.id };
  const alone = job.removed && aloneAt(job, task);
  if (alone) return { channelId: alone.channelId, messageId: alone.messageId };
  // Whoever is quick presses before it is written where the picture stands; then it is the reply.
  return outcomeAt(job);
}
