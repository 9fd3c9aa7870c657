import type { Job, MessageLocation } from '../jobs/job.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import { linkToMessage } from './job-links.ts';

/** What a reply says that could not show the outcome: where it is, and no word of the prompt, which may be why. */
export function renderRedirect(job: Job, location: MessageLocation | undefined, texts: Texts): Message {
  if (!location) return { content: texts.handover.waiting };
  if (location.channelId !== job.channelId) return { content: texts.handover.direct };
  return { content: texts.handover.posted(linkToMessage(job, location)) };
}
