import type { TaskStatusAnswer } from '@darkroom/image-api';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { TaskWaits } from '../tasks/task-waits.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { StatusAnswers } from './status-answer.ts';
import { missingParameter } from './validation-error.ts';

/** A UUID, or digits. What cannot be an id is not looked up. */
export const TASK_ID = /^[0-9a-f-]{1,36}$/;

export type TaskAnswers = ReturnType<typeof createTaskAnswers>;

/** How one task of an account is doing: now, or as soon as it has ended. */
export function createTaskAnswers({
  tasks,
  taskWaits,
  statusAnswers,
}: {
  tasks: Pick<Tasks, 'find'>;
  taskWaits: Pick<TaskWaits, 'wait'>;
  statusAnswers: Pick<StatusAnswers, 'of'>;
}) {
  async function find(taskId: string, accountId: number) {
    const task = TASK_ID.test(taskId) ? await tasks.find(taskId, accountId) : undefined;
    if (task) return task;
    throw new ApiError('task_not_found', 'This account has no task with that id.');
  }

  return {
    now: async (taskId: string, accountId: number): Promise<TaskStatusAnswer> =>
      statusAnswers.of(await find(taskId, accountId)),

    /** Waits for at most so many seconds, and no longer than the caller does. */
    async within(
      taskId: string,
      accountId: number,
      { seconds = 0, reply }: { seconds: number | undefined; reply: FastifyReply },
    ): Promise<TaskStatusAnswer> {
      const task = await find(taskId, accountId);
      if (seconds === 0 || task.finishedAt !== null) return statusAnswers.of(task);
      const gone = new AbortController();
      const leave = () => gone.abort();
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();

      const before = reply.elapsedTime;
      await taskWaits.wait({ taskId, accountId }, seconds * 1_000, gone.signal);
      reply.waitedMs += reply.elapsedTime - before;
      reply.raw.off('close', leave);
      return statusAnswers.of(await find(taskId, accountId));
    },
  };
}

/** The id that a request names, as ids are written here. */
export function requireId(taskId: string | number | null | undefined): string {
  const id = String(taskId ?? '')
    .trim()
    .toLowerCase();
  if (id) return id;
  throw missingParameter('task_id');
}
