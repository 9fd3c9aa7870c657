import type { DryRunAnswer, QueuedAnswer, Submission } from '@darkroom/image-api';
import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { ApiError } from '../api-error.ts';
import type { DrawingParameters, Source } from '../engines/engine.ts';
import { workloadOf } from '../engines/workload.ts';
import type { FoundSource } from '../inputs/sources.ts';
import { toCredits, toMilli } from '../ledger/credits.ts';
import { insufficient, type Ledger } from '../ledger/ledger.ts';
import type { Price } from '../ledger/price.ts';
import { webhookUrl } from '../outbound/caller-url.ts';
import { type RateState, wholeSeconds } from '../rate-limit.ts';
import type { OfferedWorkflow, Workflows } from '../workflows/workflows.ts';
import type { DeadlineForecast } from './deadline-forecast.ts';
import { resolveParameters } from './drawing-parameters.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import { digestOf } from './idempotency-records.ts';
import type { NewSubmission, QueueWriter } from './queue-writer.ts';
import { writeDrawing } from './stored-drawing.ts';
import type { NewTask } from './tasks.ts';

export type Submissions = ReturnType<typeof createSubmissions>;

/** Accepts submissions: each becomes a task in the queue whose cost is reserved. */
export function createSubmissions({
  ledger,
  queueWriter,
  price,
  durationEstimates,
  deadlineForecast,
  workflows,
  webhookOrigins,
}: {
  ledger: Pick<Ledger, 'balance'>;
  queueWriter: QueueWriter;
  price: Price;
  durationEstimates: DurationEstimates;
  deadlineForecast: DeadlineForecast;
  workflows: Pick<Workflows, 'get'>;
  /** See `webhookUrl`. */
  webhookOrigins: readonly string[];
}) {
  /** Outside of the batch, so that an error concerns this submission alone. */
  async function prepare(
    submission: Submission,
    holder: KeyHolder,
    { apiError, warnings: earlier = [], found }: Examined,
  ): Promise<Pick<NewSubmission, 'task' | 'warnings' | 'webhook'> & { parameters: DrawingParameters }> {
    if (apiError) throw apiError;
    const { webhook, reference = null, operation: _, image: __, ...drawn } = submission;
    const workflow = workflows.get(drawn.workflow ?? 'default');
    const lane = found ? await laneFor(drawn, workflow, found.source) : 'engine';
    const { parameters, warnings } = resolveParameters(drawn, workflow, found?.source);
    const { name } = workflow;
    return {
      parameters,
      task: {
        holder,
        workflow: name,
        lane,
        seed: parameters.seed,
        drawing: writeDrawing(parameters),
        cost: toMilli(price({ workflow: name, ...workloadOf(parameters) })),
        expectedMs: durationEstimates.estimate(name, parameters),
        reference,
      },
      warnings: [...earlier, ...warnings],
      webhook: webhook === undefined ? undefined : webhookUrl(webhook, webhookOrigins),
    };
  }

  /**
   * What is to be queued for a new submission, which forecasts take into account from now on and whose pictures are
   * kept. Rejects with an API error where it is refused.
   */
  async function prepareToQueue(submission: Submission, holder: KeyHolder, examined: Examined) {
    const { parameters, task, ...rest } = await prepare(submission, holder, examined);
    const { refusal, roomInMs, queueAs, queued, withdraw } = await deadlineForecast.include(holder, task);
    try {
      if (refusal) throw refusal;
      const kept = await examined.found?.keep();
      const drawing = kept
        ? writeDrawing({ ...parameters, source: kept.source }, kept.madeFrom)
        : task.drawing;
      const prepared: NewSubmission = { ...rest, task: { ...task, drawing }, roomInMs, onId: queueAs };
      return { prepared, kept, queued, withdraw };
    } catch (error) {
      withdraw();
      throw error;
    }
  }

  return {
    /**
     * Before a picture that a submission brings is fetched or decoded. Throws an API error where the account has less
     * than the least that can be made of one costs.
     */
    async requireMeans(
      { workflow, operation = 'generate' }: Submission,
      { account }: KeyHolder,
    ): Promise<void> {
      const { name } = workflows.get(workflow ?? 'default');
      const work = { operation, pictures: 1, pixels: PICTURE_LIMITS.side.min ** 2, steps: 1 };
      const least = toMilli(price({ workflow: name, ...work }));
      const balance = await ledger.balance(account.id);
      if (balance < least) throw insufficient(least, balance, 'costs at least');
    },

    /**
     * Queues a task and reserves its cost in one transaction. Refused where the account has too few credits or its
     * key too many tasks, or where so much waits that it could not be drawn in time. A submission that is repeated
     * under the same idempotency key gets the first answer and no second task, even where a new one would be refused.
     */
    async accept(
      submission: Submission,
      holder: KeyHolder,
      { idempotencyKey, onCounted, ...examined }: SubmissionOptions,
    ): Promise<QueuedAnswer> {
      const idempotent =
        idempotencyKey === undefined
          ? undefined
          : { accountId: holder.account.id, idempotencyKey, digest: digestOf(submission) };
      const asked = { holder, idempotent, onCounted };
      const ready = await prepareToQueue(submission, holder, examined).catch((error: unknown) => {
        if (error instanceof ApiError && idempotent) return error;
        throw error;
      });
      if (ready instanceof ApiError) return queueWriter.enqueue({ ...asked, apiError: ready });
      try {
        const answer = await queueWriter.enqueue({ ...asked, ...ready.prepared });
        ready.queued();
        return answer;
      } catch (error) {
        ready.withdraw();
        if (error instanceof ApiError) await ready.kept?.release();
        throw error;
      }
    },

    /** What `accept` would answer or refuse by now. Writes nothing. */
    async dryRun(submission: Submission, holder: KeyHolder, examined: Examined): Promise<DryRunAnswer> {
      const { task, warnings } = await prepare(submission, holder, examined);
      const { refusal, roomInMs, endsInMs } = await deadlineForecast.foresee(holder, task);
      const position = await queueWriter.positionOf(task, roomInMs);
      if (refusal) throw refusal;
      return {
        cost: toCredits(task.cost),
        balance: toCredits(await ledger.balance(holder.account.id)),
        queue_position: position,
        eta_seconds: endsInMs === undefined ? undefined : wholeSeconds(endsInMs),
        warnings,
      };
    },
  };
}

/** In whose slots it will be drawn, as far as that is known now. */
async function laneFor(
  { prompt, model }: Submission,
  { engine, like, defaults }: OfferedWorkflow,
  source: Source,
): Promise<NewTask['lane']> {
  const drawing = { prompt, workflow: like, model: model ?? defaults.model, source };
  return (await engine.isBeside?.(drawing).catch(() => false)) ? 'cpu' : 'engine';
}

/** What is known of a submission before it is prepared. */
export interface Examined {
  /** Why a new submission like this one is refused. */
  apiError?: ApiError | undefined;
  /** What it begins with, where that is pictures. */
  found?: FoundSource | undefined;
  /** What the caller is to hear of besides. */
  warnings?: readonly string[] | undefined;
}

export interface SubmissionOptions extends Examined {
  idempotencyKey: string | undefined;
  /** Hears how often the caller may still submit, as soon as this time is counted. */
  onCounted(rateState: RateState): void;
}
