import type { FinishedPicture, JobPicture } from '../jobs/delivery-port.ts';
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
  /** About how many bytes are in memory once it is written; more where a picture turns out larger. */
  readonly size: number;
  /**
   * Reads its pictures anew each time: nobody keeps them between two attempts. Rejects as they do, or by a mistake of
   * ours.
   */
  write(signal: AbortSignal): Promise<Message>;
  /** Lowers the limit for pictures, in the end to links only. False where there is nothing left to lower. */
  shrink(): boolean;
}

export const fixedMessage = (message: Message): ShrinkableMessage => ({
  size: 0,
  write: async () => message,
  shrink: () => false,
});

export function createOutcomeMessage(
  job: Job,
  pictures: readonly FinishedPicture[],
  nextSteps: OfferedSteps,
): ShrinkableMessage {
  // What an interaction promised may hold no longer, or not in direct messages: boosts come and go.
  const lowerLimits = [MESSAGE_LIMITS.attachment, SMALL_LIMIT, 0].filter(
    (lower) => lower < job.attachmentLimit,
  );
  let limit = job.attachmentLimit;

  return {
    get size() {
      return pictures.reduce((sum, { size }) => sum + size, 0);
    },
    async write(signal) {
      const pictureLimit = Math.min(limit, Math.floor(MESSAGE_BYTES / Math.max(1, pictures.length)));
      const fitted: JobPicture[] = [];
      const tooLarge: JobPicture[] = [];
      for (const picture of pictures) {
        const read = await picture.read(signal);
        const small = await fitPicture(read, pictureLimit);
        if (small) fitted.push(small);
        else tooLarge.push(read);
      }
      // Where it cannot be known, the picture is worth more than its buttons.
      const offered = await nextSteps.actionsOf?.(job).catch(() => undefined);
      return renderOutcome(job, fitted, tooLarge, textsFor(job.member.locale), nextSteps, offered);
    },
    shrink() {
      const lower = lowerLimits.shift();
      if (pictures.length === 0 || lower === undefined) return false;
      limit = lower;
      return true;
    },
  };
}
