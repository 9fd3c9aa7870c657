import type { Job } from '../../src/jobs/job.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { type ReportedPicture, withCopy } from '../../src/moderation/reported-picture.ts';
import type { Invocation } from './invocation.ts';
import { jobOf, ownerOf, publicLocation } from './shown-job.ts';

export interface Reported {
  job: Job | undefined;
  picture: ReportedPicture;
}

/**
 * A public picture of the server in which the button was pressed: ids of other servers lead nowhere. Of one that its
 * member has erased, what was reported. Undefined where neither is known.
 */
export async function knownHere(
  jobId: string,
  { caller: { guildId }, texts, context }: Invocation,
): Promise<Reported | undefined> {
  if (guildId === null) throw new UserError(texts.refusal.serverOnly);
  const job = await context.pictures.tracker.find(jobId);
  const posted = job && publicLocation(job, {});
  if (job && posted && job.guildId === guildId && !job.away)
    return { job, picture: { guildId, jobId, memberId: job.member.id, posted, alone: job.alone } };
  const picture = job ? undefined : await context.moderation.reports.reported(guildId, jobId);
  return picture && { job, picture };
}

/** Whose picture it is, and of which job, a message of ours says also where nothing else is known of it any more. */
export function isReportableAlone(jobId: string, { caller, message }: Invocation): boolean {
  if (!message || message.ephemeral || message.authorId !== caller.applicationId) return false;
  const memberId = ownerOf(message.customIds);
  return memberId !== undefined && memberId !== caller.member.id && jobOf(message.customIds) === jobId;
}

/**
 * The same, or else the picture in this message of the channel. What is reported already, and whose job is gone, is
 * known to stand in that message from then on.
 */
export async function reportedHere(
  jobId: string,
  messageId: string | undefined,
  invocation: Invocation,
): Promise<Reported | undefined> {
  const known = await knownHere(jobId, invocation);
  if (known?.job || messageId === undefined) return known;
  const standing = await standingHere(jobId, messageId, invocation);
  if (!known || !standing) return known ?? standing;
  const copy = standing.picture.posted;
  await invocation.context.moderation.reports.noteCopy(known.picture, copy);
  return { ...known, picture: withCopy(known.picture, copy) };
}

/**
 * The picture in a message of this channel, by what Discord says of that message: what a button names may be forged.
 * Undefined where the bot has not posted it there for everybody.
 */
async function standingHere(
  jobId: string,
  messageId: string,
  { caller: { guildId, channelId, applicationId }, context }: Invocation,
): Promise<Reported | undefined> {
  if (guildId === null) return undefined;
  const posted = { channelId, messageId };
  const message = await context.pictures.removedPictures.read(posted);
  if (message?.author.id !== applicationId || jobOf(message.customIds) !== jobId) return undefined;
  const memberId = ownerOf(message.customIds);
  return memberId === undefined
    ? undefined
    : { job: undefined, picture: { guildId, jobId, memberId, posted } };
}
