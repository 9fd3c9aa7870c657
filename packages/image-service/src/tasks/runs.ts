import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, raceAbort, retry, withTimeout } from '@darkroom/time';
import {
  DrawingError,
  type DrawnPicture,
  type DrawOptions,
  type Expense,
  GraphError,
  type InputPicture,
  type StopReason,
  WithheldError,
} from '../engines/engine.ts';
import { FilesUnavailable } from '../files/file-place.ts';
import type { Files } from '../files/files.ts';
import type { Expenses } from '../ledger/expenses.ts';
import type { ServiceLimits } from '../limits.ts';
import type { OfferedWorkflow } from '../workflows/workflows.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import { type Failure, TIMED_OUT } from './fail-task.ts';
import { createProgressWriter, type ProgressWriter } from './progress-writer.ts';
import type { Queue, Run } from './queue.ts';

/** Waits between the attempts to write down how a run has ended. */
const WRITE_AGAIN = { firstMs: 250, maxMs: 5_000 };
/** How long after its deadline the end of a task is still tried to be written down; then another process fails it. */
const GIVE_UP_MS = 60_000;

/** How long a drawing that is stopped may take to say whether its picture was asked for. */
const SETTLE_MS = 1_000;

/** Of an engine's error message. */
const MAX_MESSAGE_LENGTH = 2_000;

/** `drawnPercent`: how much of the drawing is paid for; nothing where it is undefined. */
type DrawingFailure = Failure & { drawnPercent: number | undefined };

/** How a drawing has ended. `requeue`: it was stopped, and the task is to be drawn again. */
type Outcome = { picture: DrawnPicture } | { failure: DrawingFailure } | 'requeue';

export type StartRun = ReturnType<typeof createRuns>;
export type StartedRun = ReturnType<StartRun>;

/**
 * Starts runs: has a task drawn and writes down how that has ended. A run stops drawing when its lease ends, by a
 * clock that never leaps, as another process may then draw the task; but not what is paid for (`DrawOptions.hold`).
 * What is drawn is kept: while the database or the place of the pictures is down, the end is written again and again
 * until the task's deadline.
 */
export function createRuns({
  queue,
  expenses,
  files,
  durationEstimates,
  clock,
  log,
  limits,
}: {
  queue: Queue;
  expenses: Pick<Expenses, 'spend'>;
  files: Files;
  durationEstimates: DurationEstimates;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  async function draw(
    run: Run,
    { engine, pictureCost: cost }: OfferedWorkflow,
    {
      closing,
      progress,
      ...stopping
    }: Pick<DrawOptions, 'signal' | 'hold' | 'onEnded'> & { closing: AbortSignal; progress: ProgressWriter },
  ): Promise<Outcome> {
    const { taskId, drawing } = run;
    const { signal } = stopping;
    const remembered = run.remembered ?? undefined;
    async function remember(name: string) {
      run.remembered = name;
      const write = () => queue.remember(run, name);
      const written = persistently('the name of a drawing cannot be written down', run, write, signal);
      await raceAbort(signal, written);
    }
    async function spend(expense: Expense) {
      const takeBack = await persistently(
        'an expense cannot be written down',
        run,
        () => expenses.spend(expense),
        signal,
      );
      return () => {
        const done = persistently('an expense cannot be taken back', run, takeBack, closing);
        takenBack.push(done);
        return done;
      };
    }
    const takenBack: Promise<void>[] = [];
    let drawn: Promise<DrawnPicture> | undefined;
    try {
      const readInput = ({ file }: InputPicture) =>
        persistently('a picture cannot be read', run, () => files.read(file), signal);
      const options = {
        ...stopping,
        onProgress: progress.update,
        cost,
        remembered,
        remember,
        spend,
        readInput,
      };
      drawn = engine.draw(drawing, options);
      return { picture: await raceAbort(signal, drawn) };
    } catch (error) {
      const stop: StopReason | undefined = signal.aborted ? signal.reason : undefined;
      if (stop !== undefined && stop !== 'deadline') {
        const late = run.remembered === null ? undefined : await settled(drawn);
        return late ? { picture: late } : 'requeue';
      }
      const isLate = stop === 'deadline';
      log[isLate || error instanceof DrawingError ? 'warn' : 'error']({ taskId, err: error }, 'task failed');
      const isGraph = typeof drawing.prompt !== 'string';
      return { failure: failureOf(error, { isLate, isGraph, percent: progress.percent() }) };
    } finally {
      await Promise.allSettled(takenBack);
    }
  }

  /**
   * Returns how to write an outcome down, to be called until it does not reject; it resolves with how the task has
   * ended, undefined where it has not, or not by this run.
   */
  function ending(run: Run, outcome: Outcome): () => Promise<'completed' | 'failed' | 'deleted' | undefined> {
    let name: string | undefined;
    let written = false;
    const failed = async (failure: Parameters<typeof queue.fail>[1]) =>
      (await queue.fail(run, failure)) === undefined ? undefined : 'failed';
    return async () => {
      if (outcome !== 'requeue' && 'failure' in outcome) return failed(outcome.failure);
      if (clock.now() >= run.deadlineAt) return failed(TIMED_OUT);
      if (outcome === 'requeue') {
        await queue.requeue(run);
        return undefined;
      }
      const { bytes, notDrawn } = outcome.picture;
      name ??= await files.reserveName(run.taskId, 'picture');
      if (name === undefined) return 'deleted';
      if (!written) await files.write(name, bytes);
      written = true;
      const expiresAt = clock.now() + limits.pictureMs;
      const cost = await queue.complete(run, { name, expiresAt, notDrawn });
      return cost === undefined ? undefined : 'completed';
    };
  }

  /** Does something for a run, again and again until it works. `problem`: what the log says where it does not. */
  const persistently = <Result>(
    problem: string,
    run: Run,
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> =>
    retry(work, {
      policy: {
        ...WRITE_AGAIN,
        isRetryable: (error) => !(error instanceof DrawingError),
        budgetMs: run.deadlineAt + GIVE_UP_MS - clock.now(),
      },
      clock,
      signal,
      onRetry(error) {
        // These outages are logged where they are noticed, once.
        if (error instanceof DatabaseUnavailable || error instanceof FilesUnavailable) return;
        log.error({ taskId: run.taskId, err: error }, `${problem}; trying again`);
      },
    });

  /** `closing`: aborts when the process ends; then nothing is tried again. */
  async function perform(
    run: Run,
    workflow: OfferedWorkflow,
    { closing, ...stopping }: Pick<DrawOptions, 'signal' | 'hold'> & { closing: AbortSignal },
  ): Promise<void> {
    const progress = createProgressWriter({ run, queue, files, clock });
    const startedAt = clock.now();
    const forgetting: (() => Promise<unknown>)[] = [];
    const onEnded: DrawOptions['onEnded'] = (forget) => void forgetting.push(forget);
    try {
      const outcome = await draw(run, workflow, { ...stopping, onEnded, closing, progress });
      const ms = clock.now() - startedAt;
      // Before anybody can read that it has ended: whoever then submits the next is told how long it takes.
      if (outcome !== 'requeue' && 'picture' in outcome) {
        durationEstimates.learn(run.workflow, run.drawing, ms);
      }
      const write = ending(run, outcome);
      const end = await persistently('the end of a task cannot be written down', run, write, closing);
      if (end === 'completed') log.info({ taskId: run.taskId, ms }, 'task completed');
      // Nobody waits for it.
      if (end !== undefined) for (const forget of forgetting) forget().catch(() => undefined);
    } catch (error) {
      if (!closing.aborted) throw error;
      await queue.requeue(run);
    } finally {
      await progress.close();
    }
  }

  /** `claimedAt`: by `performance.now`, no later than the lease began. */
  return function startRun(run: Run, workflow: OfferedWorkflow, claimedAt: number) {
    const drawing = new AbortController();
    const closing = new AbortController();
    const ended = new AbortController();
    const holds = new Set<() => void>();
    let isClosing = false;
    let renewedAt = claimedAt;

    function close(): void {
      drawing.abort('closing');
      closing.abort();
    }
    function hold(): () => void {
      const release = () => {
        holds.delete(release);
        if (isClosing && holds.size === 0) close();
      };
      holds.add(release);
      return release;
    }
    /** `closing`: as soon as what would be lost with the process is over, or has had its time. */
    function stop(reason: StopReason): void {
      isClosing = reason === 'closing';
      if (!isClosing) drawing.abort(reason);
      else if (holds.size === 0) close();
      else {
        log.info({ taskId: run.taskId }, 'what is under way would be lost: the stop waits for it');
        clock.sleep(limits.finishMs, ended.signal).then(close, () => undefined);
      }
    }

    async function watchLease(): Promise<void> {
      for (;;) {
        const leftMs = renewedAt + limits.leaseMs - performance.now();
        if (leftMs <= 0 && holds.size === 0) return stop('unheld');
        await clock.sleep(leftMs > 0 ? leftMs : limits.leaseMs / 3, ended.signal);
      }
    }
    async function watchDeadline(): Promise<void> {
      const endsAt = performance.now() + run.deadlineAt - clock.now();
      // A timer stands still while its machine sleeps, and `clock` may be set back.
      for (;;) {
        const leftMs = Math.min(run.deadlineAt - clock.now(), endsAt - performance.now());
        if (leftMs <= 0) return stop('deadline');
        await clock.sleep(Math.min(leftMs, limits.leaseMs / 3), ended.signal);
      }
    }
    for (const watch of [watchLease, watchDeadline]) watch().catch(() => undefined);

    const done = perform(run, workflow, { signal: drawing.signal, hold, closing: closing.signal })
      .catch((error: unknown) =>
        log.error({ taskId: run.taskId, err: error }, 'the end of a task could not be written down'),
      )
      .finally(() => ended.abort());
    return {
      run,
      /** Its lease was renewed at `at` (by `performance.now`) or a little later. */
      renewed(at: number): void {
        renewedAt = at;
      },
      stop,
      /** Resolves when its end is written down, or left to the lease because the process ends. Never rejects. */
      done,
    };
  };
}

/** The picture of a drawing that was stopped, where there is one all the same. */
const settled = (drawn: Promise<DrawnPicture> | undefined): Promise<DrawnPicture | undefined> =>
  withTimeout(SETTLE_MS, async () => drawn).catch(() => undefined);

/**
 * How a drawing has failed, at its deadline where it `isLate`. What is drawn by a caller's graph can be seen: one that
 * fails in the end, or takes too long, would be free.
 */
function failureOf(
  error: unknown,
  { isLate, isGraph, percent }: { isLate: boolean; isGraph: boolean; percent: number },
): DrawingFailure {
  const isOwnFault = isGraph && error instanceof GraphError;
  const isWithheld = error instanceof WithheldError;
  const isPaid = isOwnFault || (isGraph && isLate);
  const drawnPercent = isWithheld ? 100 : isPaid ? percent : undefined;
  if (isLate) return { ...TIMED_OUT, drawnPercent };
  return {
    // That of any other error is not for the account's owner.
    error: (error instanceof DrawingError && oneLine(error.message)) || TIMED_OUT.error,
    errorCode: 'drawing_failed',
    refused: isOwnFault || isWithheld,
    drawnPercent,
  };
}

/** Cut to a length, on one line, without control characters: PostgreSQL cannot store U+0000 in a text. */
const oneLine = (message: string): string =>
  message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
