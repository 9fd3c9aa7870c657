import type { ReadMessage } from '../../src/delivery/message-api.ts';
import type { Job } from '../../src/jobs/job.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { type ReportedPicture, withCopy } from '../../src/moderation/reported-picture.ts';
import type { Invocation } from './invocation.ts';
import { jobIdIn, makerIdIn, ownerIdIn, publicLocation } from './shown-job.ts';

export interface Reported {
  job: Job | undefined;
  picture: ReportedPicture;
}

/**
 * A public picture of the server in which the button was pressed: ids of other servers lead nowhere. Of one that its
 * member has erased, what was reported. Undefined where neither is known.
 */
export async function knownHere(
  { caller: { guildId }, texts, context }: Invocation,
  jobId: string,
): Promise<Reported | undefined> {
  if (guildId === null) throw new UserError(texts.refusal.serverOnly);
  const job = await context.pictures.tracker.find(jobId);
  const posted = job && publicLocation({}, job);
  if (job && posted && job.guildId === guildId && !job.away)
    return { job, picture: { guildId, jobId, memberId: job.member.id, posted, alone: job.alone } };
  const picture = job ? undefined : await context.moderation.reports.reported(guildId, jobId);
  return picture && { job, picture };
}

/** Who made the picture of which job, a message of ours says also where nothing else is known of it any more. */
export function isReportableAlone({ caller, message }: Invocation, jobId: string): boolean {
  if (!message || message.ephemeral || message.authorId !== caller.applicationId) return false;
  const { customIds } = message;
  const isOurs = ownerIdIn(customIds) !== undefined && jobIdIn(customIds) === jobId;
  return isOurs && makerIdIn(customIds) !== caller.member.id;
}

/**
 * The same, or else the picture in this message of the channel. What is reported already, and whose job is gone, is
 * known to stand in that message from then on.
 */
export async function reportedHere(
  invocation: Invocation,
  jobId: string,
  messageId: string | undefined,
): Promise<Reported | undefined> {
  const known = await knownHere(invocation, jobId);
  const { guildId, channelId } = invocation.caller;
  if (known?.job || messageId === undefined || guildId === null) return known;
  const message = await messageOf(invocation, jobId, messageId);
  if (!message) return known;
  const posted = { channelId, messageId };
  if (known) {
    await invocation.context.moderation.reports.noteCopy(known.picture, posted);
    return { ...known, picture: withCopy(known.picture, posted) };
  }
  const memberId = makerIdIn(message.customIds) ?? (await makerBehind(invocation, message, jobId));
  return memberId === undefined
    ? undefined
    : { job: undefined, picture: { guildId, jobId, memberId, posted } };
}

/**
 * A message of this channel that shows a job, as Discord has it: what a button names may be forged. Undefined where
 * the bot has not posted it there for everybody.
 */
async function messageOf(
  { caller: { channelId, applicationId }, context }: Invocation,
  jobId: string,
  messageId: string,
): Promise<ReadMessage | undefined> {
  const message = await context.pictures.removedPictures.read({ channelId, messageId });
  const isOurs = message?.author.id === applicationId && jobIdIn(message.customIds) === jobId;
  return isOurs ? message : undefined;
}

/** Who made what stands alone, by the message of the same job that it links to. */
async function makerBehind(
  invocation: Invocation,
  { content }: ReadMessage,
  jobId: string,
): Promise<string | undefined> {
  const { guildId, channelId } = invocation.caller;
  const [, linked] = new RegExp(`/${guildId}/${channelId}/(\\d+)`).exec(content) ?? [];
  const message = linked === undefined ? undefined : await messageOf(invocation, jobId, linked);
  return message && makerIdIn(message.customIds);
}
