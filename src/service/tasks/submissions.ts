import { randomInt } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Graph } from '../../contract/graph.ts';
import { HONOURED_BY, LIMITS, type Workflow } from '../../contract/limits.ts';
import type { QueuedAnswer, Submission } from '../../contract/submission.ts';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { createBatch, type Outcome } from '../database/batch.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { type Drawing, UNKNOWN_SEED } from '../engines/engine.ts';
import { readGraph } from '../engines/graph-reading.ts';
import { workOf } from '../engines/work.ts';
import { type Ledger, toCredits, toMilli } from '../ledger/ledger.ts';
import { lockAccount } from '../ledger/ledger-queries.ts';
import type { Price } from '../ledger/price.ts';
import { Refusal } from '../refusal.ts';
import { NEGATIVE_PROMPT, WORKFLOW_RULES } from '../workflows.ts';
import type { Durations } from './durations.ts';
import { type createReplays, digestOf, type Repeatable } from './replays.ts';
import { writeDrawing } from './stored-drawing.ts';
import { makeTaskId } from './task-id.ts';
import type { NewTask, Tasks } from './tasks.ts';

/** One more than the largest seed that is drawn here: seeds are unsigned 32-bit integers. */
const SEEDS = 2 ** 32;
/** Submissions that share a transaction at most: few enough that nobody else waits long for it. */
const BATCH = 16;

export type Submissions = ReturnType<typeof createSubmissions>;

/** Turns what was asked for into a task. */
export function createSubmissions({
  db,
  ledger,
  tasks,
  replays,
  price,
  durations,
  warningsOf,
  clock,
}: {
  db: ServiceDatabase;
  ledger: Ledger;
  tasks: Tasks;
  replays: ReturnType<typeof createReplays>;
  price: Price;
  durations: Durations;
  /** What whoever draws it would do otherwise than asked, a sentence each. */
  warningsOf(drawing: Omit<Drawing, 'taskId'>): readonly string[];
  clock: Clock;
}) {
  /** Refuses before it writes anything, so that a refusal leaves the rest of its batch as it is. */
  async function acceptWithin(trx: ServiceTransaction, request: Request): Promise<QueuedAnswer> {
    const { task, warnings, repeatable, refusal } = request;
    const accountId = task.holder.account.id;
    await lockAccount(trx, { accountId });
    const answered = repeatable && (await replays.recall(trx, repeatable));
    // Our own words of before.
    if (answered !== undefined) return JSON.parse(answered) as QueuedAnswer;
    if (refusal) throw refusal;

    await tasks.requireRoom(trx, task.holder);
    const shares = await ledger.afford(trx, accountId, task.cost);
    let id: string;
    do id = makeTaskId(task.workflow, clock.now());
    while (!(await tasks.add(trx, { ...task, id })));
    await ledger.reserve(trx, { accountId, taskId: id, shares });

    const answer = answerTo({ ...task, id }, warnings);
    if (repeatable) await replays.remember(trx, repeatable, JSON.stringify(answer));
    return answer;
  }

  /** In order of accounts, so that processes that lock several of them never wait for each other in a circle. */
  const batch = createBatch<Request, QueuedAnswer>(BATCH, (requests) =>
    db.transaction().execute(async (trx) => {
      const outcomes = new Map<Request, Outcome<QueuedAnswer>>();
      for (const request of [...requests].sort(
        (one, other) => one.task.holder.account.id - other.task.holder.account.id,
      )) {
        const outcome = acceptWithin(trx, request).then((result) => ({ result }), refused);
        outcomes.set(request, await outcome);
      }
      return requests.map((request) => outcomes.get(request) ?? { error: new Error('not answered') });
    }),
  );

  /** Works out what a submission means before others are concerned: where that fails, only its own request does. */
  function prepare(
    submission: Submission,
    holder: KeyHolder,
    { idempotencyKey, refusal }: Circumstances,
  ): Request {
    const { warnings, ...decided } = decide(submission);
    const { workflow, seed } = decided;
    return {
      task: {
        holder,
        workflow,
        seed,
        drawing: writeDrawing(decided),
        cost: toMilli(price({ workflow, ...workOf(decided) })),
        expectedMs: durations.expect(decided),
      },
      warnings: [...warnings, ...warningsOf(decided)],
      repeatable:
        idempotencyKey === undefined
          ? undefined
          : { accountId: holder.account.id, idempotencyKey, digest: digestOf(submission) },
      refusal,
    };
  }

  return {
    /**
     * Queues a task and reserves its cost, both or neither. Refused where the account has too few credits or its key
     * too many tasks. Repeated under the same idempotency key, a submission gets its first answer and no second task,
     * even where a new one would be refused by now.
     */
    async accept(
      submission: Submission,
      holder: KeyHolder,
      circumstances: Circumstances,
    ): Promise<QueuedAnswer> {
      const { idempotencyKey, refusal } = circumstances;
      if (refusal && idempotencyKey === undefined) throw refusal;
      return batch(prepare(submission, holder, circumstances));
    },
  };
}

/** What comes with a submission. */
interface Circumstances {
  idempotencyKey: string | undefined;
  /** Why nothing like it is drawn now. */
  refusal: Refusal | undefined;
}

interface Request {
  task: Omit<NewTask, 'id'>;
  warnings: string[];
  /** Where it came with an idempotency key. */
  repeatable: Repeatable | undefined;
  refusal: Refusal | undefined;
}

/**
 * A refusal concerns one request; anything else that goes wrong is the database's, and concerns the whole transaction.
 * That is not tried again request by request: of a commit that went wrong nobody knows whether it took place.
 */
function refused(error: unknown): { error: Refusal } {
  if (error instanceof Refusal) return { error };
  throw error;
}

type Decided = Omit<Drawing, 'taskId'> & { warnings: string[] };

/** Every value that the submission leaves open, and a sentence for each parameter that has no effect. */
function decide(submission: Submission): Decided {
  const { prompt, workflow = 'default', ...parameters } = submission;
  if (typeof prompt !== 'string') return decideGraph(prompt, workflow, parameters);
  const { steps, cfg, negativePrompt } = WORKFLOW_RULES[workflow];
  const honours = (field: 'cfg' | 'model') => HONOURED_BY[field].includes(workflow);
  const asked = submission.seed ?? LIMITS.seed.default;
  const ignored = [
    submission.negative_prompt !== undefined && !negativePrompt && 'negative_prompt',
    submission.cfg !== undefined && !honours('cfg') && 'cfg',
    submission.model !== undefined && !honours('model') && 'model',
  ].filter((parameter) => parameter !== false);
  return {
    workflow,
    prompt,
    negativePrompt: submission.negative_prompt ?? NEGATIVE_PROMPT,
    width: submission.width ?? LIMITS.width.default,
    height: submission.height ?? LIMITS.height.default,
    steps: submission.steps ?? steps,
    seed: asked === -1 ? randomInt(SEEDS) : asked,
    cfg: honours('cfg') ? (submission.cfg ?? cfg) : cfg,
    model: honours('model') ? submission.model : undefined,
    warnings: ignored.map((parameter) => `${parameter} has no effect in the workflow ${workflow}`),
  };
}

/** A complete graph says everything itself, of the seed too, if it can be read there. */
function decideGraph(graph: Graph, workflow: Workflow, parameters: object): Decided {
  const ignored = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return {
    ...decide({ prompt: '', workflow }),
    seed: UNKNOWN_SEED,
    ...readGraph(graph),
    prompt: graph,
    warnings: ignored.map(([parameter]) => `${parameter} has no effect beside a complete graph`),
  };
}

function answerTo({ id, workflow, seed, cost }: Omit<NewTask, 'holder'>, warnings: string[]): QueuedAnswer {
  const additions = {
    cost: toCredits(cost),
    ...(seed !== UNKNOWN_SEED && { seed }),
    ...(warnings.length > 0 && { warnings }),
  };
  if (workflow === 'rr3') {
    const check_status = `?endpoint=${ENDPOINTS.status.query.endpoint}&task_id=${id}`;
    return { id, provider: 'rr3', status: 'queued', check_status, ...additions };
  }
  const message = 'The task is queued. Ask for its status every 2 to 3 seconds; webhook support is coming.';
  return { id, status: 'queued', message, ...additions };
}
