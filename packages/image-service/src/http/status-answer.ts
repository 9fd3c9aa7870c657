import type { ListedTaskAnswer, TaskStatusAnswer } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import { z } from 'zod';
import { UNKNOWN_SEED } from '../engines/engine.ts';
import { toCredits } from '../ledger/credits.ts';
import type { ServiceLimits } from '../limits.ts';
import { wholeSeconds } from '../rate-limit.ts';
import { TIMED_OUT } from '../tasks/fail-task.ts';
import type { Forecast, QueueModels } from '../tasks/queue-model.ts';
import type { Task } from '../tasks/task-queries.ts';
import type { ListedTask } from '../tasks/tasks.ts';
import { readWebhookStatus } from '../webhooks/webhook-queue.ts';

const listOfWords = z.array(z.string());
const readNotDrawn = (json: string): string[] => listOfWords.parse(JSON.parse(json));

export type StatusAnswers = ReturnType<typeof createStatusAnswers>;

/** Of a task that has left the queue since it was read. */
const NEXT: Forecast = { position: 1, endsInMs: undefined };

/** The status of tasks, in the contract's form. */
export function createStatusAnswers({
  queueModels,
  fileUrl,
  clock,
  limits,
}: {
  queueModels: Pick<QueueModels, 'forecastOf'>;
  fileUrl(name: string): string;
  clock: Clock;
  limits: ServiceLimits;
}) {
  /**
   * `forecast` is that of a task that waits. A field that is undefined is left out of the JSON. Each answer is written
   * whole: one that begins as a copy and grows takes a fifth more of the service's time for a poll.
   */
  function describe(task: Task, forecast: Forecast | undefined): TaskStatusAnswer {
    const { id, progress, startedAt, expectedMs, preview } = task;
    const created_at = new Date(task.createdAt).toISOString();
    const seed = task.seed === UNKNOWN_SEED ? undefined : task.seed;
    const reference = task.reference ?? undefined;
    const cost = toCredits(task.cost);
    if (task.state === 'processing') {
      const endsAt =
        task.endsAt ?? (startedAt !== null && expectedMs !== null ? startedAt + expectedMs : undefined);
      const leftMs = endsAt === undefined ? undefined : endsAt - clock.now();
      return {
        id,
        status: 'processing',
        result: null,
        progress,
        created_at,
        seed,
        reference,
        cost,
        queue_position: task.position ?? undefined,
        // Who asked would read of one second to go for as long as it takes.
        eta_seconds: leftMs === undefined || leftMs < 0 ? undefined : wholeSeconds(leftMs),
        preview_url: preview === null ? undefined : `${fileUrl(preview)}?percent=${progress}`,
      };
    }
    if (task.state === 'pending') {
      const { position, endsInMs = expectedMs ?? undefined } = forecast ?? NEXT;
      return {
        id,
        status: 'pending',
        result: null,
        progress: 0,
        created_at,
        seed,
        reference,
        cost,
        queue_position: position,
        eta_seconds: endsInMs === undefined ? undefined : wholeSeconds(endsInMs),
      };
    }
    if (task.state === 'completed' && task.picture !== null && task.finishedAt !== null) {
      return {
        id,
        status: 'completed',
        result: { image_url: fileUrl(task.picture) },
        not_drawn: task.notDrawn === null ? undefined : readNotDrawn(task.notDrawn),
        created_at,
        seed,
        reference,
        cost,
        expires_at: new Date(task.finishedAt + limits.pictureMs).toISOString(),
      };
    }
    return {
      id,
      status: 'failed',
      error: task.error ?? TIMED_OUT.error,
      error_code: task.errorCode ?? undefined,
      result: null,
      created_at,
      seed,
      reference,
      cost: toCredits(task.charged ?? 0),
    };
  }

  const forecastOf = (task: Task) => (task.state === 'pending' ? queueModels.forecastOf(task) : undefined);

  return {
    async of(task: Task): Promise<TaskStatusAnswer> {
      const answer = describe(task, await forecastOf(task));
      return task.webhook ? { ...answer, webhook: readWebhookStatus(task.webhook) } : answer;
    },

    /** With what they were asked for. */
    ofAll: (page: readonly ListedTask[]): Promise<ListedTaskAnswer[]> =>
      Promise.all(
        page.map(async (task) => {
          const { workflow, prompt, width, height, steps, operation, madeFrom, finishedAt } = task;
          return {
            ...describe(task, await forecastOf(task)),
            ...{ workflow, prompt, width, height, steps, operation, made_from: madeFrom },
            finished_at: finishedAt === null ? undefined : new Date(finishedAt).toISOString(),
          };
        }),
      ),
  };
}
