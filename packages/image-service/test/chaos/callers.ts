import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@darkroom/testing';
import { paint } from '../support/engines.ts';

/** Longer than any answer takes while the database is away. */
const CALL_TIMEOUT_MS = 20_000;

/** A submission that was accepted. */
export interface Accepted {
  taskId: string;
  cancelled: boolean;
  /** The first final status that a poll said. */
  ended: string | undefined;
}

/** How many different pictures are brought: few, so that each comes again and again. */
export const PICTURES = 5;

/**
 * Programs that bring pictures, submit, poll and cancel, at whichever process answers, until they are told to stop.
 */
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
  const refused: string[] = [];
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
      headers: {
        'x-api-key': key,
        ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer && [400, 404, 409, 413].includes(answer.status)) refused.push(`${path}: ${text}`);
    return answer?.status === 200 && text ? JSON.parse(text).data : undefined;
  }

  /** One of the pictures, again and again until it is there: however often it is brought, it is one upload. */
  async function bring(): Promise<string> {
    const { bytes } = await paint({ width: 64 + random.between(0, PICTURES - 1), height: 64 });
    for (;;) {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
      const answer = await call('/v1/index.php?endpoint=upload', { method: 'POST', body });
      if (answer) return `upload:${answer.id}`;
      await delay(100);
    }
  }

  /** What a task is made of: nothing but words, what is brought, or an earlier picture. */
  async function beginning(): Promise<object> {
    if (random.chance(0.5)) return {};
    const earlier = accepted.findLast(({ ended }) => ended === 'completed');
    const image = earlier && random.chance(0.3) ? `task:${earlier.taskId}` : await bring();
    const mask = random.chance(0.5) && { mask: image };
    const others = [
      { operation: 'remove_background' },
      // Only of what is brought: what is made of itself, again and again, would become larger than may be.
      ...(image.startsWith('upload:')
        ? [{ operation: 'upscale' }, { operation: 'expand', expand: { left: 8, bottom: 24 } }]
        : []),
    ];
    const other = others[random.between(0, others.length - 1)];
    return { image, ...(random.chance(0.4) ? { operation: 'edit', ...mask } : other) };
  }

  /** Again and again under one idempotency key, as a caller does that must not pay twice. */
  async function submit(): Promise<Accepted> {
    const idempotencyKey = randomUUID();
    const size = { width: 64, height: 64 };
    const body = JSON.stringify({ prompt: idempotencyKey, ...size, webhook, ...(await beginning()) });
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
    /** Calls that were refused for what they asked: there should be none. */
    refused,
    /** Begins; resolves once they have stopped, with nothing half submitted. */
    run: async (count: number): Promise<void> => {
      await Promise.all(Array.from({ length: count }, submitAndFollow));
    },
    stop(): void {
      over = true;
    },
  };
}
