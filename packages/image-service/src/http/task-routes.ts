import { OPERATIONS } from '@darkroom/image-api/contract';
import type { Clock } from '@darkroom/time';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { PageCursor, Tasks } from '../tasks/tasks.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { limitAccounts } from './rate-window.ts';
import { success } from './responses.ts';
import type { StatusAnswers } from './status-answer.ts';
import { requireId, TASK_ID, type TaskAnswers } from './task-answers.ts';

export interface TaskRoutes {
  tasks: Pick<Tasks, 'cancel' | 'list'>;
  answers: TaskAnswers;
  statusAnswers: Pick<StatusAnswers, 'ofAll'>;
  clock: Clock;
  /** A task was ended, whoever draws it. */
  drop(taskId: string): void;
}

/** How often an account may list its tasks in a minute: a page reads hundreds of rows. */
const LISTS_PER_MINUTE = 120;

/** The status of a task, cancelling one, and the list of them. */
export const taskRoutes: FastifyPluginAsyncZod<TaskRoutes> = async (
  app,
  { tasks, answers, statusAnswers, drop, clock },
) => {
  const countList = limitAccounts(clock, LISTS_PER_MINUTE, 'list its tasks');

  app.route({
    ...routeOf(OPERATIONS.status),
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const { task_id, wait: seconds } = request.query;
      return success(await answers.within(requireId(task_id), account.id, { seconds, reply }));
    },
  });

  app.route({
    ...routeOf(OPERATIONS.cancel),
    preValidation: async (request: FastifyRequest) => {
      // The id may stand in the query.
      const { task_id } = { ...Object(request.query), ...withoutNull(request.body) };
      if (task_id !== undefined) request.body = { task_id };
    },
    handler: async (request) => {
      const { account } = callerOf(request);
      const id = requireId(request.body.task_id);
      if (TASK_ID.test(id) && (await tasks.cancel(id, account.id)) !== undefined) drop(id);
      return success(await answers.now(id, account.id));
    },
  });

  app.route({
    ...routeOf(OPERATIONS.list),
    handler: async (request) => {
      const { account } = callerOf(request);
      countList(account.id);
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

const withoutNull = (body: unknown): object =>
  Object.fromEntries(Object.entries(Object(body)).filter(([, value]) => value !== null));

const writeCursor = ({ createdAt, id }: PageCursor): string => `${createdAt}.${id}`;

/** Of a page's `next`, which the contract has checked. */
function readCursor(next: string): PageCursor {
  const dot = next.indexOf('.');
  return { createdAt: Number(next.slice(0, dot)), id: next.slice(dot + 1) };
}
