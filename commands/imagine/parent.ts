import type { Job, MessageLocation, Parent } from '../../src/jobs/job.ts';
import type { Invocation } from './invocation.ts';

/** From which picture something is made: with the message that shows it, if everybody there can see that. */
export function parentOf(job: Job, invocation: Pick<Invocation, 'message'>, task?: number): Parent {
  const message = publicPlace(job, invocation);
  return { jobId: job.id, ...(task !== undefined && { task }), ...(message && { message }) };
}

/** Where everybody sees a picture: in the message whose button was pressed, else where it was posted. */
export function publicPlace(
  job: Job,
  { message }: Partial<Pick<Invocation, 'message'>>,
): MessageLocation | undefined {
  if (job.private) return undefined;
  if (message && !message.ephemeral) return { channelId: message.channelId, messageId: message.id };
  // Whoever is quick presses before it is written where the picture stands; then it is the reply.
  const { messageId } = job.reply;
  return job.posted ?? (messageId === undefined ? undefined : { channelId: job.channelId, messageId });
}
