import { messageLink } from 'discord.js';
import { type Job, type MessageLocation, outcomeAt } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';

/** What a reply says that could not show the outcome: where it is, and no word of the prompt, which may be why. */
export function renderRedirect(job: Job, location: MessageLocation | undefined, texts: Texts): Message {
  if (!location) return { content: texts.handover.waiting };
  if (location.channelId !== job.channelId) return { content: texts.handover.direct };
  return { content: texts.handover.posted(linkToMessage(job, location)) };
}

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
