import type { Picture } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import { ATTACHMENT_LIMIT } from '../asker.ts';
import { textsFor } from '../locale/texts.ts';
import type { Message } from '../message.ts';
import { renderOutcome } from '../render.ts';
import { fitPicture, shareOf } from './fit.ts';

/** What any channel should take, in bytes. */
const SMALL = 2 * 1024 * 1024;

/** The outcome of a job as a message, whose pictures can be made smaller when Discord finds them too large. */
export interface Draft {
  /** Rejects only by a mistake of ours. */
  message(): Promise<Message>;
  /** Lowers the limit for pictures, in the end to links only. False where there is nothing left to lower. */
  shrink(): boolean;
}

/** A message without pictures as a draft. */
export const plainDraft = (message: Message): Draft => ({
  message: () => Promise.resolve(message),
  shrink: () => false,
});

export function createDraft(job: Job, pictures: readonly Picture[]): Draft {
  // What an interaction promised may hold no longer, or not in direct messages: boosts come and go.
  const limits = [ATTACHMENT_LIMIT, SMALL, 0].filter((limit) => limit < job.attachmentLimit);
  let limit = job.attachmentLimit;
  let written: Message | undefined;

  async function write(): Promise<Message> {
    const share = shareOf(limit, pictures.length);
    const fitted = await Promise.all(pictures.map((picture) => fitPicture(picture, share)));
    return renderOutcome(
      job,
      fitted.filter((picture) => picture !== undefined),
      pictures.filter((_, index) => fitted[index] === undefined),
      textsFor(job.member.locale),
    );
  }

  return {
    async message() {
      written ??= await write();
      return written;
    },
    shrink() {
      const smaller = limits.shift();
      if (pictures.length === 0 || smaller === undefined) return false;
      limit = smaller;
      written = undefined;
      return true;
    },
  };
}
