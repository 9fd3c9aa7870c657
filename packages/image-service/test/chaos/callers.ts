import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@darkroom/testing';

/** Longer than any answer takes while the database is away. */
const CALL_TIMEOUT_MS = 20_000;

/** A submission that was accepted. */
export interface Accepted {
  taskId: string;
  cancelled: boolean;
  /** The first final status that a poll said. */
  ended: string | undefined;
}

/** Programs that submit, poll and cancel, at whichever process answers, until they are told to stop. */
export function createCallers({
  urls,
  key,
  webhook,
  random,
}: {
  /** Of the processes that run now. */
  urls(): readonly string[];
  key: string;
  /** Where the ends of tasks are sent. */
  webhook: string;
  random: Random;
}) {
  const accepted: Accepted[] = [];
  let over = false;

  /** The answer's `data`; undefined where there is none, or no process. */
  async function call(
    path: string,
    init: RequestInit = {},
  ): Promise<{ [name: string]: unknown } | undefined> {
    const all = urls();
    const url = all[random.between(0, Math.max(0, all.length - 1))];
    const answer = await fetch(`${url}${path}`, {
      ...init,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    return answer?.status === 200 && text ? JSON.parse(text).data : undefined;
  }

  /** Again and again under one idempotency key, as a caller does that must not pay twice. */
  async function submit(): Promise<Accepted> {
    const idempotencyKey = randomUUID();
    const body = JSON.stringify({ prompt: idempotencyKey, width: 64, height: 64, webhook });
    for (;;) {
      const answer = await call('/v1/index.php?endpoint=image_generation', {
        method: 'POST',
        headers: { 'idempotency-key': idempotencyKey },
        body,
      });
      if (answer) return { taskId: String(answer.id), cancelled: false, ended: undefined };
      await delay(100);
    }
  }

  async function follow(task: Accepted): Promise<void> {
    const cancelAfter = random.chance(0.1) ? random.between(0, 8) : undefined;
    for (let polls = 0; task.ended === undefined && !over; polls++) {
      if (polls === cancelAfter) {
        const body = JSON.stringify({ task_id: task.taskId });
        task.cancelled = true;
        await call('/v1/index.php?endpoint=cancel_task', { method: 'POST', body });
      }
      const answer = await call(`/v1/index.php?endpoint=task_status&task_id=${task.taskId}`);
      if (answer?.status === 'completed' || answer?.status === 'failed') task.ended = answer.status;
      await delay(250);
    }
  }

  const submitAndFollow = async (): Promise<void> => {
    while (!over) {
      const task = await submit();
      accepted.push(task);
      void follow(task);
      await delay(random.between(50, 400));
    }
  };

  return {
    accepted,
    /** Begins; resolves once they have stopped, with nothing half submitted. */
    run: async (count: number): Promise<void> => {
      await Promise.all(Array.from({ length: count }, submitAndFollow));
    },
    stop(): void {
      over = true;
    },
  };
}
