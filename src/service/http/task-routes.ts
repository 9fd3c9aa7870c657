import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { TASK_STATES, taskList, taskStatus } from '../../contract/task.ts';
import type { Keys } from '../accounts/keys.ts';
import { Refusal } from '../refusal.ts';
import type { PageCursor, Tasks } from '../tasks/tasks.ts';
import { answer, answers, OF_BODY, OF_KEY } from './answer.ts';
import { requireKey } from './credentials.ts';
import { missing } from './issue.ts';
import { at } from './operation.ts';
import type { StatusAnswers } from './status-answer.ts';

export interface TaskRoutes {
  keys: Keys;
  tasks: Tasks;
  statusAnswers: StatusAnswers;
  /** A task was ended, whoever draws it. */
  drop(taskId: string): void;
}

/** A UUID, or digits. What cannot be an id is not looked up. */
const TASK_ID = /^[0-9a-f-]{1,36}$/;

const PAGE = { default: 20, max: 100 };

/** Not loose, which costs a poll a tenth; so the key that the query may carry is named, too. */
const named = z.object({ task_id: z.string(), api_key: z.unknown().optional() });

/** Where it may stand in the body instead. Ids of `rr3` are digits, few enough for a number to hold them exactly. */
const namedHere = named.partial();
const namedInBody = z.object({ task_id: z.union([z.string(), z.int()]).nullish() });

const listing = z.looseObject({
  status: z.enum(TASK_STATES).optional(),
  limit: z.coerce.number().min(1).max(PAGE.max).int().default(PAGE.default),
  after: z.string().optional(),
});

/** Asking how tasks are doing, and ending one. */
export const taskRoutes: FastifyPluginAsyncZod<TaskRoutes> = async (
  app,
  { keys, tasks, statusAnswers, drop },
) => {
  async function statusOf(taskId: string | null | undefined, accountId: number) {
    const id = requireId(taskId);
    const task = TASK_ID.test(id) ? await tasks.find(id, accountId) : undefined;
    if (!task) throw new Refusal('task_not_found', 'This account has no task with that id.');
    return answer(await statusAnswers.of(task));
  }

  app.route({
    ...at(ENDPOINTS.status),
    schema: {
      summary: 'How a task is doing',
      querystring: named,
      response: answers(taskStatus, ...OF_KEY, 'task_not_found'),
    },
    handler: async (request) => {
      const { account } = await requireKey(request, keys);
      return statusOf(request.query.task_id, account.id);
    },
  });

  app.route({
    ...at(ENDPOINTS.cancel),
    schema: {
      summary: 'Cancel a task',
      description: 'The id is taken from the body, or else from the query.',
      querystring: namedHere,
      body: namedInBody.nullish(),
      response: answers(taskStatus, ...OF_KEY, ...OF_BODY, 'task_not_found'),
    },
    handler: async (request) => {
      const { account } = await requireKey(request, keys);
      const id = requireId(request.body?.task_id ?? request.query.task_id);
      if (TASK_ID.test(id) && (await tasks.cancel(id, account.id))) drop(id);
      return statusOf(id, account.id);
    },
  });

  app.route({
    ...at(ENDPOINTS.list),
    schema: {
      summary: "The account's tasks",
      querystring: listing,
      response: answers(taskList, ...OF_KEY, 'parameter_out_of_range'),
    },
    handler: async (request) => {
      const { account } = await requireKey(request, keys);
      const { status: state, limit, after } = request.query;
      const found = await tasks.list(account.id, {
        state,
        limit: limit + 1,
        after: after ? readCursor(after) : undefined,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return answer({
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
  throw missing('task_id');
}

const writeCursor = ({ createdAt, id }: PageCursor): string => `${createdAt}.${id}`;

function readCursor(after: string): PageCursor {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(after) ?? [];
  if (createdAt && id) return { createdAt: Number(createdAt), id };
  throw new Refusal('invalid_request', 'after must be the next of the previous page.', {
    details: { field: 'after' },
  });
}
