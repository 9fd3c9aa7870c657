import { fileOf } from '../../src/delivery/render-outcome.ts';
import { FileGoneError } from '../../src/jobs/input.ts';
import type { Job } from '../../src/jobs/job.ts';
import { isKept } from '../../src/jobs/job-task.ts';
import type { MessageFile } from '../../src/messages/message.ts';
import type { Invocation } from './invocation.ts';

/** The file of one picture, to be shown once more; none where it is gone. */
export async function pictureFile(invocation: Invocation, job: Job, task: number): Promise<MessageFile[]> {
  const { message, texts, context } = invocation;
  const { shownPictures } = context.pictures;
  const picture = shownPictures.of(job, message?.files ?? []).find((shown) => shown.task === task);
  if (!picture) return [];
  return shownPictures
    .use(picture, async (read) => [fileOf(job, read, [read], texts)])
    .catch((error: unknown) => {
      if (error instanceof FileGoneError) return [];
      throw error;
    });
}

/**
 * The same where it is needed under an answer that only its reader sees: a private picture that the image service
 * keeps no more is reached by the message that is pressed alone.
 */
export const fileToBring = async (invocation: Invocation, job: Job, task: number): Promise<MessageFile[]> =>
  job.private && !isKept(job.tasks[task], invocation.caller.interaction.createdAt)
    ? pictureFile(invocation, job, task)
    : [];
