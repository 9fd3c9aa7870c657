import { withTimeout } from '@darkroom/time';
import type { Job, MessageLocation } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { Publisher } from './delivery.ts';
import { createOutcomeMessage } from './outcome-message.ts';
import type { ShownFile, ShownPictures } from './shown-pictures.ts';

/** For everything together, in real milliseconds: a member waits for it. */
const TIMEOUT_MS = 90_000;

/** Private pictures that their member shows to everybody. */
export interface Publications {
  /**
   * Posts the outcome of a private job in its channel, and writes that it is public from now on. Undefined where Discord does
   * not take it. Rejects with `PictureGoneError`. `files`: of the message that shows it.
   */
  publish(
    job: Job,
    files: readonly ShownFile[],
    options: {
      /** Of the server. */
      locale: string;
      flagged: Job['flagged'];
      /** Where the bot is no member; by its own token, posted once, unless given. */
      post?: ((message: Message) => Promise<MessageLocation>) | undefined;
    },
  ): Promise<MessageLocation | undefined>;
}

export function createPublications({
  jobs,
  publisher,
  pictures,
  nextSteps,
}: {
  jobs: Pick<JobStore, 'amend'>;
  publisher: Publisher;
  pictures: ShownPictures;
  nextSteps: OfferedSteps;
}): Publications {
  return {
    async publish(hidden, files, { locale, flagged, post }) {
      const shown = (job: Job): Job => {
        const { withheld: _, flagged: __, ...rest } = job;
        return { ...rest, private: false, ...(flagged && { flagged }) };
      };
      const job = { ...shown(hidden), member: { ...hidden.member, locale } };
      const finished = pictures.of(hidden, files);
      const posted = await withTimeout(TIMEOUT_MS, async (signal) =>
        post
          ? post(await createOutcomeMessage(job, finished, nextSteps).write(signal))
          : publisher.publish(job, finished, signal),
      );
      if (posted) await jobs.amend(hidden.id, (before) => ({ ...shown(before), posted }));
      return posted;
    },
  };
}
