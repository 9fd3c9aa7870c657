import type { Invocation } from '../../src/bot/command.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { Parent } from '../../src/requests/options.ts';

/** From which picture something is made: with the message where its button was pressed, if everybody there can see that. */
export function parentOf(
  { id, private: hidden }: Job,
  { message }: Pick<Invocation, 'message'>,
  task?: number,
): Parent {
  return {
    jobId: id,
    ...(task !== undefined && { task }),
    ...(message &&
      !message.ephemeral &&
      !hidden && { message: { channelId: message.channelId, messageId: message.id } }),
  };
}
