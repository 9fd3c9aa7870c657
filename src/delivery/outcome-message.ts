import type { JobPicture } from '../jobs/delivery-port.ts';
import type { Job } from '../jobs/job.ts';
import { textsFor } from '../messages/locale/texts.ts';
import { MESSAGE_LIMITS, type Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import { fitPicture } from './fit-picture.ts';
import { renderOutcome } from './render-outcome.ts';

/** What any channel should take, in bytes. */
const SMALL_LIMIT = 2 * 1024 * 1024;

/** A whole message may weigh 25 MiB: Discord's documentation, "Create Message". The rest is for the text. */
const MESSAGE_BYTES = 24 * 1024 * 1024;

/** A message whose pictures can be made smaller when Discord finds them too large. */
export interface ShrinkableMessage {
  /** Rejects only by a mistake of ours. */
  write(): Promise<Message>;
  /** Lowers the limit for pictures, in the end to links only. False where there is nothing left to lower. */
  shrink(): boolean;
}

/** The outcome of a job, with pictures that fit into its channel. */
export function createOutcomeMessage(
  job: Job,
  pictures: readonly JobPicture[],
  nextSteps: OfferedSteps,
): ShrinkableMessage {
  // What an interaction promised may hold no longer, or not in direct messages: boosts come and go.
  const lowerLimits = [MESSAGE_LIMITS.attachment, SMALL_LIMIT, 0].filter(
    (lower) => lower < job.attachmentLimit,
  );
  let limit = job.attachmentLimit;
  let written: Message | undefined;

  async function render(): Promise<Message> {
    const pictureLimit = Math.min(limit, Math.floor(MESSAGE_BYTES / Math.max(1, pictures.length)));
    const fitted = await Promise.all(pictures.map((picture) => fitPicture(picture, pictureLimit)));
    return renderOutcome(
      job,
      fitted.filter((picture) => picture !== undefined),
      pictures.filter((_, index) => fitted[index] === undefined),
      textsFor(job.member.locale),
      nextSteps,
    );
  }

  return {
    async write() {
      written ??= await render();
      return written;
    },
    shrink() {
      const lower = lowerLimits.shift();
      if (pictures.length === 0 || lower === undefined) return false;
      limit = lower;
      written = undefined;
      return true;
    },
  };
}
