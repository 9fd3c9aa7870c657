import { randomInt, randomUUID } from 'node:crypto';
import { OPERATIONS, operationName, type QueuedAnswer } from '@darkroom/image-api/contract';
import { type Clock, createBatch } from '@darkroom/time';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import { UNKNOWN_SEED } from '../engines/engine.ts';
import { toCredits } from '../ledger/credits.ts';
import { type Ledger, type Share, spend } from '../ledger/ledger.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import type { ServiceLimits } from '../limits.ts';
import { countInMinute, type RateState } from '../rate-limit.ts';
import type { WebhookQueue } from '../webhooks/webhook-queue.ts';
import { findRecords, type IdempotentSubmission, requireSame, saveRecords } from './idempotency-records.ts';
import { joinQueue, nextTurn, readStandings, type Standing } from './standing.ts';
import { holderLimit, saveWindows, tooManySubmissions } from './submission-rate.ts';
import type { NewTask, Tasks } from './tasks.ts';

/** The most submissions that share a transaction: few enough that nobody else waits long for it. */
const MAX_BATCH = 16;
/** Of the ten connections, those that batches may take at once. SQLite has one writer. */
const POSTGRES_BATCHES = 4;
/**
 * Ids of `rr3` tasks per millisecond. With 1000 they stay below 2^53, so exact as JSON numbers, until the year 2255.
 */
const RR3_IDS_PER_MS = 1_000;

/** What is said of a task whose end is not sent anywhere, and of one whose end is. */
const POLLED =
  'The task is queued. Ask for its status every 2 to 3 seconds, or name a webhook with the next one.';
const TOLD =
  'The task is queued. Its end will be sent to your webhook; its status can be asked for every 2 to 3 seconds as well.';

/** A submission that has been read and checked as far as that goes without the database. */
export type PreparedSubmission = (NewSubmission | RefusedSubmission) & {
  holder: KeyHolder;
  /** Where it has an idempotency key. */
  idempotent: IdempotentSubmission | undefined;
  /** Hears how often the caller may still submit, as soon as this time is counted. */
  onCounted(rateState: RateState): void;
};

/** Why it is refused, unless it was answered before. */
interface RefusedSubmission {
  apiError: ApiError;
}

export interface NewSubmission {
  apiError?: undefined;
  task: Omit<NewTask, 'id'>;
  warnings: string[];
  /** Where the end of the task is to be sent. */
  webhook: URL | undefined;
  /** In how many milliseconds there should be room for it, see `DeadlineForecast`. */
  roomInMs(): number | undefined;
  /** Hears under which id it becomes a task, before that is written, and again where the id was taken. */
  onId(id: string): void;
}

/** One that becomes a task. */
interface Accepted extends NewSubmission {
  idempotent: IdempotentSubmission | undefined;
  id: string;
  turn: number;
  shares: Share[];
}

export type QueueWriter = ReturnType<typeof createQueueWriter>;

/**
 * Puts submissions into the queue as tasks, whose cost it reserves. Those that arrive together share one transaction:
 * it locks their accounts, reads what decides on all of them, decides on one after the other, and writes what follows.
 * So many take as many statements as one.
 */
export function createQueueWriter({
  db,
  ledger,
  tasks,
  webhooks,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  ledger: Pick<Ledger, 'spendable' | 'reserve'>;
  tasks: Pick<Tasks, 'add' | 'positionOf'>;
  webhooks: Pick<WebhookQueue, 'add'>;
  clock: Clock;
  limits: ServiceLimits;
}) {
  /** Counts a submission. Throws an API error where it is beyond its rate. */
  function count(rate: Standing['rate'], { holder, onCounted }: PreparedSubmission): void {
    const { window, rateState } = countInMinute(rate.window, holderLimit(holder, limits).max, clock.now());
    rate.window = window;
    onCounted(rateState);
    if (!rateState.allowed) throw tooManySubmissions(holder, rateState);
  }

  function newId({ task, onId }: NewSubmission, others: readonly Accepted[]): string {
    for (;;) {
      const id = newTaskId(task.workflow, clock.now());
      if (others.some((other) => other.id === id)) continue;
      onId(id);
      return id;
    }
  }

  async function write(trx: ServiceTransaction, accepted: readonly Accepted[]): Promise<void> {
    for (let left = accepted; left.length > 0; ) {
      const added = await tasks.add(
        trx,
        left.map(({ task, id, turn }) => ({ ...task, id, turn })),
      );
      left = left.filter(({ id }) => !added.has(id));
      for (const one of left) one.id = newId(one, accepted);
    }
    const reserved = accepted.map(({ task, id, shares }) => ({
      accountId: task.holder.account.id,
      taskId: id,
      shares,
    }));
    await ledger.reserve(trx, reserved);
    await webhooks.add(
      trx,
      accepted.flatMap(({ task, id, webhook }) =>
        webhook ? [{ taskId: id, accountId: task.holder.account.id, url: webhook }] : [],
      ),
    );
    await saveRecords(
      trx,
      accepted.flatMap((one) =>
        one.idempotent
          ? [{ ...one.idempotent, answer: JSON.stringify(answerTo(one)), createdAt: clock.now() }]
          : [],
      ),
    );
  }

  async function enqueueAll(
    trx: ServiceTransaction,
    submissions: readonly PreparedSubmission[],
  ): Promise<(QueuedAnswer | ApiError)[]> {
    const holders = submissions.map(({ holder }) => holder);
    await lockAccounts(trx, [...new Set(holders.map(({ account }) => account.id))]);
    const standingOf = await readStandings(trx, ledger, holders);
    const idempotent = submissions.flatMap((submission) => submission.idempotent ?? []);
    const answered = new Map<string, { digest: string; answer: () => QueuedAnswer }>();
    for (const { answer, ...record } of await findRecords(trx, idempotent)) {
      // This service has written it.
      answered.set(keyOf(record), { ...record, answer: () => JSON.parse(answer) as QueuedAnswer });
    }
    const accepted: Accepted[] = [];
    const counted = new Set<Standing['rate']>();

    /** Throws an API error where the submission is refused, and has then done nothing but count it. */
    function decide(submission: PreparedSubmission): () => QueuedAnswer {
      const { holder, idempotent } = submission;
      const standing = standingOf(holder);
      count(standing.rate, submission);
      counted.add(standing.rate);
      const earlier = idempotent && answered.get(keyOf(idempotent));
      if (earlier) {
        requireSame(idempotent, earlier);
        return earlier.answer;
      }
      if (submission.apiError) throw submission.apiError;
      const { task, roomInMs } = submission;
      const turn = nextTurn(standing, holder, { limits, roomInMs });
      const shares = spend(standing.account.grants, task.cost);
      joinQueue(standing, turn);
      const one: Accepted = { ...submission, id: newId(submission, accepted), turn, shares };
      accepted.push(one);
      const answer = () => answerTo(one);
      if (idempotent) answered.set(keyOf(idempotent), { ...idempotent, answer });
      return answer;
    }

    const decisions = submissions.map((submission) => {
      try {
        return decide(submission);
      } catch (error) {
        return refused(error);
      }
    });
    await saveWindows(
      trx,
      [...counted].flatMap(({ window, ...rate }) => (window ? [{ ...rate, ...window }] : [])),
    );
    await write(trx, accepted);
    return decisions.map((decision) => (decision instanceof ApiError ? decision : decision()));
  }

  return {
    enqueue: createBatch<PreparedSubmission, QueuedAnswer>(
      (submissions) => db.transaction().execute((trx) => enqueueAll(trx, submissions)),
      { max: MAX_BATCH, atOnce: hasRowLocks(db) ? POSTGRES_BATCHES : 1 },
    ),

    /** At which position a task would wait by now. Rejects as `enqueue` does. Writes nothing. */
    async positionOf(
      { holder, cost }: Pick<NewTask, 'holder' | 'cost'>,
      roomInMs: NewSubmission['roomInMs'],
    ): Promise<number> {
      const standing = (await readStandings(db, ledger, [holder]))(holder);
      const turn = nextTurn(standing, holder, { limits, roomInMs });
      spend(standing.account.grants, cost);
      return tasks.positionOf(turn);
    },
  };
}

/**
 * An API error concerns one submission. Any other error is the database's and fails the whole batch, which is not
 * retried one by one: nobody knows whether a failed commit took place.
 */
function refused(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

const keyOf = ({ accountId, idempotencyKey }: Pick<IdempotentSubmission, 'accountId' | 'idempotencyKey'>) =>
  `${accountId} ${idempotencyKey}`;

function answerTo({ id, task: { workflow, seed, cost }, webhook, warnings }: Accepted): QueuedAnswer {
  const additions = {
    cost: toCredits(cost),
    ...(seed !== UNKNOWN_SEED && { seed }),
    ...(warnings.length > 0 && { warnings }),
  };
  if (workflow === 'rr3') {
    const check_status = `?${operationName(OPERATIONS.status)}&task_id=${id}`;
    return { id, provider: 'rr3', status: 'queued', check_status, ...additions };
  }
  return { id, status: 'queued', message: webhook ? TOLD : POLLED, ...additions };
}

/** A UUID for the node-graph workflows, digits in order of time for `rr3`: the id tells the family of a task. */
function newTaskId(workflow: string, now: number): string {
  return workflow === 'rr3' ? String(now * RR3_IDS_PER_MS + randomInt(RR3_IDS_PER_MS)) : randomUUID();
}
