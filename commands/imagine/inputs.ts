import { PICTURE_LIMITS } from '@darkroom/image-api';
import { channelMention, roleMention } from 'discord.js';
import { originOf } from '../../src/delivery/pictures/lineage.ts';
import { shownAs, shownFile } from '../../src/delivery/pictures/shown-pictures.ts';
import { type AttachedFile, type Input, sizeOfResult } from '../../src/jobs/input.ts';
import type { Job, Parent } from '../../src/jobs/job.ts';
import { isFlagged, isKept } from '../../src/jobs/job-task.ts';
import type { Size } from '../../src/limits/size.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { type Offer, offersFor } from '../../src/requests/offers.ts';
import type { Invocation } from './invocation.ts';
import type { Rules } from './rules.ts';
import { publicLocation, shownJob } from './shown-job.ts';

/** The picture of a task, so that something can be made of it. Throws `UserError` where it is gone. */
export function inputOf(invocation: Invocation, job: Job, task: number): Input {
  const { caller, message, texts } = invocation;
  const completed = job.tasks[task];
  const file = shownFile(job, task, message?.files ?? []);
  if (completed?.state !== 'completed') throw new UserError(texts.actions.gone);
  const isNamed = isKept(completed, caller.interaction.createdAt);
  const place = job.away ? undefined : publicLocation(file ? { message } : {}, job, task);
  if (!isNamed && !file && !place) throw new UserError(texts.actions.fileGone);
  const { workflow } = job.submission;
  return {
    ...(isNamed && { name: `task:${completed.taskId}`, payer: job.payer, imageUrl: completed.imageUrl }),
    ...(file && { file }),
    ...(place && { shown: { ...place, ...shownAs(job, task), seed: completed.seed } }),
    ...(workflow !== undefined && { workflow }),
    ...sizeOfResult(job),
    ...(job.private && { private: true }),
    ...(isFlagged(completed) && { flagged: true }),
  };
}

/** The workflows that can change a picture of this job here. `strength`: by how much, too. */
export async function changesOf(
  { caller, context }: Invocation,
  { graph, submission: { workflow } }: Job,
  { strength = false } = {},
): Promise<Offer[]> {
  const { workflows } = await context.guilds.guildSettings.of(caller.guildId);
  const drawnIn = graph ? undefined : workflow;
  return offersFor('edit', context.offers.of(workflows), { drawnIn, strength });
}

/** Why a file is certainly no picture that can be used; undefined where it may be one. */
export function problemWith(file: AttachedFile, { source }: Texts): string | undefined {
  const { size, contentType, width, height } = file;
  if (size === 0) return source.empty;
  if (
    contentType !== undefined &&
    !PICTURE_LIMITS.types.some((type) => type === contentType.replace(/;.*/, ''))
  )
    return source.noPicture;
  if (size > PICTURE_LIMITS.bytes) return source.tooLarge;
  if (width === undefined || height === undefined) return undefined;
  const { min, max } = PICTURE_LIMITS.side;
  if (Math.max(width, height) * min > Math.min(width, height) * max) return source.tooNarrow(max / min);
  return width * height > PICTURE_LIMITS.pixels ? source.tooManyPixels : undefined;
}

/** A picture that a member has brought, not yet looked at. Throws `UserError` for what is certainly none. */
export function ownPicture(file: AttachedFile, texts: Texts): Input {
  const problem = problemWith(file, texts);
  if (problem !== undefined) throw new UserError(problem);
  const { width, height } = file;
  return { file, own: true, ...(width !== undefined && height !== undefined && keptSize({ width, height })) };
}

/** The size in which the image service keeps it. */
function keptSize({ width, height }: Size): Size {
  const { min, max } = PICTURE_LIMITS.side;
  const times = Math.min(max / Math.max(width, height), Math.max(1, min / Math.min(width, height)));
  return { width: Math.round(width * times), height: Math.round(height * times) };
}

/** Throws `UserError` where the server lets nobody bring a picture of their own here, or not this member. */
export function checkOwnPictures(
  { caller, texts: { rules } }: Invocation,
  { settings, ageRestricted }: Pick<Rules, 'settings' | 'ageRestricted'>,
): void {
  const { ownPictures, ownPictureChannels: channels, ownPictureRoles: roles } = settings;
  if (!ownPictures) throw new UserError(rules.ownPictures);
  const isNamed = channels.some((channel) => [caller.channelId, caller.parentId].includes(channel));
  // Where anything may be shown, somebody has to have decided that photographs may be changed.
  if (ageRestricted && !isNamed) throw new UserError(rules.ownPicturesAgeRestricted);
  if (channels.length > 0 && !isNamed)
    throw new UserError(rules.ownPictureChannels(channels.map(channelMention)));
  if (roles.length > 0 && !roles.some((role) => caller.roles.includes(role)))
    throw new UserError(rules.ownPictureRoles(roles.map(roleMention)));
}

/**
 * The picture that something is made from, with who had brought or posted what it was made from itself, step by step:
 * written down, because these may erase their own requests, and a block of theirs is to cover it all the same.
 */
export async function withOrigin(
  { context }: Invocation,
  { parent, input }: { parent?: Parent | undefined; input: Input },
): Promise<Input> {
  const { find } = context.pictures.tracker;
  const job = input.own ? undefined : parent && (await find(parent.jobId));
  if (!job) return input;
  const origin = await originOf(job, find);
  const { broughtBy = origin?.member.id, postedBy = origin?.input?.postedBy } = { ...job.input, ...input };
  return {
    ...input,
    ...(broughtBy !== undefined && { broughtBy }),
    ...(postedBy !== undefined && { postedBy }),
  };
}

/** Whether a member who is blocked here had posted the picture, or had brought or posted what it was made from. */
export async function isOfBlocked(
  { caller, context }: Invocation,
  { broughtBy, postedBy }: Input,
): Promise<boolean> {
  const blocks = await Promise.all(
    [broughtBy, postedBy].map((id) => id && context.guilds.blockedMembers.find(caller.guildId, id)),
  );
  return blocks.some((block) => block !== undefined);
}

/**
 * Throws `UserError` where a request of somebody else begins with a picture that the caller cannot see: what is made
 * of it would show it.
 */
export async function checkSeen(invocation: Invocation, job: Job): Promise<void> {
  const { caller, texts } = invocation;
  if (!job.input || job.member.id === caller.member.id) return;
  const { own, private: hidden } = job.input;
  if (own || hidden || !job.parent) throw new UserError(texts.source.notYours);
  await shownJob(invocation, job.parent.jobId);
}
