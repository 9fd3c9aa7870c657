import { messageLink } from 'discord.js';
import { type Job, type MessageLocation, outcomeAt } from '../jobs/job.ts';

/** A link to a message of a job. Outside the job's channel it is a direct one. */
export const linkToMessage = ({ guildId, channelId }: Job, location: MessageLocation): string =>
  messageLink(
    location.channelId,
    location.messageId,
    (location.channelId === channelId ? guildId : null) ?? '@me',
  );

/**
 * A link to what shows a job, or will show it; undefined where none leads there: it is private, or its reply is not
 * known.
 */
export function linkToJob(job: Job): string | undefined {
  const place = outcomeAt(job);
  const isEphemeral = job.private && place?.channelId === job.channelId;
  return isEphemeral || !place ? undefined : linkToMessage(job, place);
}
