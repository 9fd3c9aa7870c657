import { OPERATIONS } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { rateLimited } from '../rate-limit.ts';
import type { PageCursor, Tasks } from '../tasks/tasks.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { createRateWindow } from './rate-window.ts';
import { success } from './responses.ts';
import type { StatusAnswers } from './status-answer.ts';
import { missingParameter } from './validation-error.ts';

export interface TaskRoutes {
  tasks: Tasks;
  statusAnswers: StatusAnswers;
  clock: Clock;
  /** A task was ended, whoever draws it. */
  drop(taskId: string): void;
}

/** How often an account may list its tasks in a minute: a page reads hundreds of rows. */
const LISTS_PER_MINUTE = 120;
const MINUTE_MS = 60_000;

/** A UUID, or digits. What cannot be an id is not looked up. */
const TASK_ID = /^[0-9a-f-]{1,36}$/;

/** The status of a task, cancelling one, and the list of them. */
export const taskRoutes: FastifyPluginAsyncZod<TaskRoutes> = async (
  app,
  { tasks, statusAnswers, drop, clock },
) => {
  const countList = createRateWindow({ clock, windowMs: MINUTE_MS });

  async function statusOf(taskId: string | null | undefined, accountId: number) {
    const id = requireId(taskId);
    const task = TASK_ID.test(id) ? await tasks.find(id, accountId) : undefined;
    if (!task) throw new ApiError('task_not_found', 'This account has no task with that id.');
    return success(await statusAnswers.of(task));
  }

  app.route({
    ...routeOf(OPERATIONS.status),
    handler: async (request) => {
      const { account } = callerOf(request);
      return statusOf(request.query.task_id, account.id);
    },
  });

  app.route({
    ...routeOf(OPERATIONS.cancel),
    handler: async (request) => {
      const { account } = callerOf(request);
      const id = requireId(request.body?.task_id ?? request.query.task_id);
      if (TASK_ID.test(id) && (await tasks.cancel(id, account.id)) !== undefined) drop(id);
      return statusOf(id, account.id);
    },
  });

  app.route({
    ...routeOf(OPERATIONS.list),
    handler: async (request) => {
      const { account } = callerOf(request);
      const allowance = countList(String(account.id), LISTS_PER_MINUTE);
      if (!allowance.allowed)
        throw rateLimited(`An account may list its tasks ${LISTS_PER_MINUTE} times a minute.`, allowance);
      const { status: state, limit, after } = request.query;
      const found = await tasks.list(account.id, {
        state,
        limit: limit + 1,
        after: after ? readCursor(after) : undefined,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return success({
        tasks: await statusAnswers.ofAll(page),
        next: last ? writeCursor(last) : null,
      });
    },
  });
};

/** The id that a request names, as ids are written here. */
function requireId(taskId: string | number | null | undefined): string {
  const id = String(taskId ?? '')
    .trim()
    .toLowerCase();
  if (id) return id;
  throw missingParameter('task_id');
}

const writeCursor = ({ createdAt, id }: PageCursor): string => `${createdAt}.${id}`;

function readCursor(after: string): PageCursor {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(after) ?? [];
  if (createdAt && id) return { createdAt: Number(createdAt), id };
  throw new ApiError('invalid_request', 'after must be the next of the previous page.', {
    details: { field: 'after' },
  });
}
