import { holdsKey } from '@darkroom/image-api/contract';
import { messageLink } from 'discord.js';
import { isBehindSpoiler, type Job, type MessageLocation, outcomeAt } from '../jobs/job.ts';
import type { JobTask } from '../jobs/job-task.ts';
import { bareLink } from '../messages/message.ts';

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

/**
 * A link to where the service has the picture of a task, hidden as the picture would be. Undefined where the address
 * holds a credential, as the interface allows: whoever reads the link would have the key.
 */
export function linkToPicture(job: Job, task: JobTask, address: string): string | undefined {
  if (holdsKey(address)) return undefined;
  const link = bareLink(address);
  return isBehindSpoiler(job, task) ? `||${link}||` : link;
}
