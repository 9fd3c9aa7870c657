import { holdsKey } from '@darkroom/image-api/contract';
import { messageLink } from 'discord.js';
import { isBehindSpoiler, type Job, type MessageLocation, outcomeAt } from '../jobs/job.ts';
import { isKept, type JobTask } from '../jobs/job-task.ts';
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
  return isEphemeral(job) || !place ? undefined : linkToMessage(job, place);
}

/** Whether its outcome stands, or will, in a message that Discord shows its member until their client is restarted. */
const isEphemeral = (job: Job): boolean => job.private && outcomeAt(job)?.channelId === job.channelId;

/** Whether a job has pictures that are to be had at `now` by showing its member that message once more. */
export const canBeShownAgain = (job: Job, now: number): boolean =>
  wasShownOnce(job) && job.tasks.some((task) => isKept(task, now));

/** Whether it had them, and nobody keeps them any more. */
export const isLost = (job: Job, now: number): boolean =>
  wasShownOnce(job) && job.tasks.every((task) => !isKept(task, now));

const wasShownOnce = (job: Job): boolean => job.state === 'delivered' && !job.removed && isEphemeral(job);

/**
 * A link to where the service has the picture of a task, hidden as the picture would be. Undefined where the address
 * holds a credential, as the interface allows: whoever reads the link would have the key.
 */
export function linkToPicture(job: Job, task: JobTask, address: string): string | undefined {
  if (holdsKey(address)) return undefined;
  const link = bareLink(address);
  return isBehindSpoiler(job, task) ? `||${link}||` : link;
}
