import { success } from '../http/responses.ts';
import type { StatusAnswers } from '../http/status-answer.ts';
import type { Tasks } from '../tasks/tasks.ts';

/** What is sent: what the task's status answers, without what is said there of the webhook itself. */
export const bodyOfWebhook =
  ({ tasks, statusAnswers }: { tasks: Pick<Tasks, 'find'>; statusAnswers: StatusAnswers }) =>
  async ({ taskId, accountId }: { taskId: string; accountId: number }): Promise<string | undefined> => {
    const task = await tasks.find(taskId, accountId);
    if (!task) return undefined;
    return JSON.stringify(success(await statusAnswers.of({ ...task, webhook: null })));
  };
