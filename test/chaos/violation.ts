import type { Job } from '../../src/jobs/job.ts';

/** A broken rule, in a sentence. */
export interface Violation {
  rule: string;
  /** Of what it concerns: an excerpt of the trace has everything about these. */
  ids: readonly string[];
}

/** What looks like a violation, and what no bot could have done better. */
export type KnownLimit =
  /**
   * A reply that only its token reaches, private or with an id that Discord never told, and the token expired first.
   */
  | 'reply unreachable'
  /** The bot was killed between acknowledging a button or /jobs and answering it. */
  | 'killed before answering'
  /**
   * Posted again because its member asked for it in /jobs, and the first message was deleted, or private: Discord's
   * client forgets those.
   */
  | 'posted again on demand'
  /**
   * Finished shortly before its job's deadline, past which the clock was advanced, or advanced past every further
   * attempt to download it.
   */
  | 'clock advanced past deadline';

/** The ids of a job, its messages, its submissions and its tasks. */
export const idsOf = ({ id, reply, posted, tasks }: Job): string[] => [
  id,
  ...(reply.messageId === undefined ? [] : [reply.messageId]),
  ...(posted ? [posted.messageId] : []),
  ...tasks.flatMap((task) => [
    task.idempotencyKey,
    ...('taskId' in task && task.taskId ? [task.taskId] : []),
  ]),
];
