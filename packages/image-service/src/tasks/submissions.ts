import { randomInt, randomUUID } from 'node:crypto';
import type { DryRunAnswer, QueuedAnswer, Submission } from '@darkroom/image-api';
import { OPERATIONS, operationName } from '@darkroom/image-api';
import { type Clock, createBatch } from '@darkroom/time';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import { UNKNOWN_SEED } from '../engines/engine.ts';
import { workloadOf } from '../engines/workload.ts';
import { type Ledger, toCredits, toMilli } from '../ledger/ledger.ts';
import { lockAccount } from '../ledger/ledger-queries.ts';
import type { Price } from '../ledger/price.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Allowance } from '../rate-limit.ts';
import type { WebhookQueue } from '../webhooks/webhook-queue.ts';
import { parseWebhookUrl } from '../webhooks/webhook-url.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { Admission } from './admission.ts';
import { resolveParameters } from './drawing-parameters.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import type { createIdempotencyRecords, IdempotentSubmission } from './idempotency-records.ts';
import { writeDrawing } from './stored-drawing.ts';
import { countSubmission, holderLimit, tooManySubmissions } from './submission-rate.ts';
import type { NewTask, Tasks } from './tasks.ts';

/** The most submissions that share a transaction: few enough that nobody else waits long for it. */
const MAX_BATCH = 16;
/** Of the ten connections, those that batches may take at once. SQLite has one writer. */
const POSTGRES_BATCHES = 4;
/** Ids of `rr3` tasks per millisecond. With 1000 they stay below 2^53, so exact as JSON numbers, until the year 2255. */
const RR3_IDS_PER_MS = 1_000;

/** What is said of a task whose end is not sent anywhere, and of one whose end is. */
const POLLED =
  'The task is queued. Ask for its status every 2 to 3 seconds, or name a webhook with the next one.';
const TOLD =
  'The task is queued. Its end will be sent to your webhook; its status can be asked for every 2 to 3 seconds as well.';

export type Submissions = ReturnType<typeof createSubmissions>;

/** Accepts submissions: each becomes a task in the queue whose cost is reserved. */
export function createSubmissions({
  db,
  ledger,
  tasks,
  idempotencyRecords,
  price,
  durationEstimates,
  admission,
  workflows,
  webhooks,
  webhookOrigins,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  tasks: Tasks;
  idempotencyRecords: ReturnType<typeof createIdempotencyRecords>;
  price: Price;
  durationEstimates: DurationEstimates;
  admission: Admission;
  workflows: Pick<Workflows, 'get'>;
  webhooks: Pick<WebhookQueue, 'add'>;
  /** See `parseWebhookUrl`. */
  webhookOrigins: readonly string[];
  clock: Clock;
  limits: ServiceLimits;
}) {
  /** Throws an API error before it writes anything but its count, so that the rest of the batch can be committed. */
  async function acceptWithin(trx: ServiceTransaction, request: ForeseenSubmission): Promise<QueuedAnswer> {
    const { task, warnings, webhook, idempotent, apiError, roomInMs, onCounted } = request;
    const accountId = task.holder.account.id;
    await lockAccount(trx, { accountId });
    const allowance = await countSubmission(trx, holderLimit(task.holder, limits), clock.now());
    onCounted(allowance);
    if (!allowance.allowed) throw tooManySubmissions(task.holder, allowance);
    const stored = idempotent && (await idempotencyRecords.find(trx, idempotent));
    // This service has written it.
    if (stored !== undefined) return JSON.parse(stored) as QueuedAnswer;
    if (apiError) throw apiError;

    const turn = await tasks.nextTurn(trx, task.holder, roomInMs);
    const shares = await ledger.afford(trx, accountId, task.cost);
    let id: string;
    do id = newTaskId(task.workflow, clock.now());
    while (!(await tasks.add(trx, { ...task, id, turn })));
    await ledger.reserve(trx, { accountId, taskId: id, shares });
    if (webhook) await webhooks.add(trx, { taskId: id, accountId, url: webhook });

    const answer = answerTo({ ...task, id, message: webhook ? TOLD : POLLED }, warnings);
    if (idempotent) await idempotencyRecords.save(trx, idempotent, JSON.stringify(answer));
    return answer;
  }

  /** Locks accounts in the order of their ids, so that processes that lock several of them cannot deadlock. */
  const batch = createBatch<ForeseenSubmission, QueuedAnswer>(
    (requests) =>
      db.transaction().execute(async (trx) => {
        const results = new Map<ForeseenSubmission, QueuedAnswer | ApiError>();
        for (const request of [...requests].sort(
          (one, other) => one.task.holder.account.id - other.task.holder.account.id,
        )) {
          results.set(request, await acceptWithin(trx, request).catch(refused));
        }
        return requests.map((request) => results.get(request) ?? new Error('not answered'));
      }),
    { max: MAX_BATCH, atOnce: hasRowLocks(db) ? POSTGRES_BATCHES : 1 },
  );

  /** Outside of the batch, so that an error concerns this submission alone. */
  function prepare(
    submission: Submission,
    holder: KeyHolder,
    { idempotencyKey, apiError, onCounted, warnings: earlier = [] }: SubmissionOptions,
  ): PreparedSubmission {
    const { webhook, ...drawn } = submission;
    const workflow = workflows.get(drawn.workflow ?? 'default');
    const { parameters, warnings } = resolveParameters(drawn, workflow);
    const { name } = workflow;
    return {
      task: {
        holder,
        workflow: name,
        seed: parameters.seed,
        drawing: writeDrawing(parameters),
        cost: toMilli(price({ workflow: name, ...workloadOf(parameters) })),
        expectedMs: durationEstimates.estimate(name, parameters),
      },
      warnings: [...earlier, ...warnings],
      webhook: webhook === undefined ? undefined : parseWebhookUrl(webhook, webhookOrigins),
      idempotent:
        idempotencyKey === undefined
          ? undefined
          : { accountId: holder.account.id, idempotencyKey, submission },
      apiError,
      onCounted,
    };
  }

  return {
    /**
     * Queues a task and reserves its cost in one transaction. Refused where the account has too few credits or its key
     * too many tasks, or where so much waits that it could not be drawn in time. A submission that is repeated under the
     * same idempotency key gets the first answer and no second task, even where a new one would be refused.
     */
    async accept(
      submission: Submission,
      holder: KeyHolder,
      options: SubmissionOptions,
    ): Promise<QueuedAnswer> {
      const { idempotencyKey } = options;
      const prepared = prepare(submission, holder, options);
      const { refusal, roomInMs, settle } = await admission.admit(holder, prepared.task);
      const apiError = options.apiError ?? refusal;
      if (apiError && idempotencyKey === undefined) throw apiError;
      try {
        const answer = await batch({ ...prepared, apiError, roomInMs });
        settle(answer.id);
        return answer;
      } catch (error) {
        settle(undefined);
        throw error;
      }
    },

    /** What `accept` would answer or refuse by now. Writes nothing. */
    async dryRun(
      submission: Submission,
      holder: KeyHolder,
      { apiError, warnings }: Pick<SubmissionOptions, 'apiError' | 'warnings'>,
    ): Promise<DryRunAnswer> {
      if (apiError) throw apiError;
      const options = { idempotencyKey: undefined, apiError, warnings, onCounted: () => undefined };
      const { task, warnings: told } = prepare(submission, holder, options);
      const accountId = holder.account.id;
      const { refusal, roomInMs, endsInMs } = await admission.foresee(holder, task);
      const turn = await tasks.nextTurn(db, holder, roomInMs);
      await ledger.afford(db, accountId, task.cost);
      if (refusal) throw refusal;
      return {
        cost: toCredits(task.cost),
        balance: toCredits(await ledger.balance(accountId)),
        queue_position: await tasks.positionOf(turn),
        eta_seconds: endsInMs === undefined ? undefined : Math.max(1, Math.ceil(endsInMs / 1_000)),
        warnings: told,
      };
    },
  };
}

interface SubmissionOptions {
  idempotencyKey: string | undefined;
  /** Why a new submission like this one is refused. */
  apiError: ApiError | undefined;
  /** What the caller is to hear of besides. */
  warnings?: readonly string[] | undefined;
  /** Hears how often the caller may still submit, as soon as this time is counted. */
  onCounted(allowance: Allowance): void;
}

interface PreparedSubmission extends Pick<SubmissionOptions, 'apiError' | 'onCounted'> {
  task: Omit<NewTask, 'id'>;
  warnings: string[];
  /** Where the end of the task is to be sent. */
  webhook: URL | undefined;
  /** Where it has an idempotency key. */
  idempotent: IdempotentSubmission | undefined;
}

/** One of which is known when there will be room for it, see `Admission`. */
interface ForeseenSubmission extends PreparedSubmission {
  roomInMs(): number | undefined;
}

/**
 * An API error concerns one submission. Any other error is the database's and fails the whole batch, which is not retried
 * one by one: nobody knows whether a failed commit took place.
 */
function refused(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function answerTo(
  { id, workflow, seed, cost, message }: Omit<NewTask, 'holder'> & { message: string },
  warnings: string[],
): QueuedAnswer {
  const additions = {
    cost: toCredits(cost),
    ...(seed !== UNKNOWN_SEED && { seed }),
    ...(warnings.length > 0 && { warnings }),
  };
  if (workflow === 'rr3') {
    const check_status = `?${operationName(OPERATIONS.status)}&task_id=${id}`;
    return { id, provider: 'rr3', status: 'queued', check_status, ...additions };
  }
  return { id, status: 'queued', message, ...additions };
}

/** A UUID for the node-graph workflows, digits in order of time for `rr3`: the id tells the family of a task. */
function newTaskId(workflow: string, now: number): string {
  return workflow === 'rr3' ? String(now * RR3_IDS_PER_MS + randomInt(RR3_IDS_PER_MS)) : randomUUID();
}
