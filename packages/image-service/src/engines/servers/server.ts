import { type Log, messageOf } from '@darkroom/process';
import { type Clock, createCache, raceAbort } from '@darkroom/time';
import { findModel, type MissingModel, type RequiredModel } from './required-model.ts';

/** How long the result of a health check and a list of models are cached. */
const CACHE_MS = 30_000;
/** Folders whose models are remembered: more than any graph names. */
const MAX_LISTS = 100;
/** How long a server is not called after a failure; doubles with each failure. */
const BACKOFF_MS = { first: 1_000, max: 60_000 } as const;

/** A machine of the operator's that draws: whether it answers, what it has, and what it does. */
export type Server = ReturnType<typeof createServer>;

interface ServerOptions {
  name: string;
  /** As in "a ComfyUI server". */
  kind: string;
  /** The calls that differ from one program to another. Each has a timeout. */
  calls: {
    /** Rejects where the server cannot be used; returns what it runs. */
    check(): Promise<string | undefined>;
    queueLength(signal: AbortSignal): Promise<number>;
    models(folder: string): Promise<readonly string[] | undefined>;
    close(): Promise<void>;
  };
  /** What the operator can do about a failure. */
  mend(error: unknown): string;
  clock: Clock;
  log: Log;
}

export function createServer({ name, kind, calls, mend, clock, log }: ServerOptions) {
  const noLists = () =>
    createCache<string, Promise<readonly string[] | undefined>>({ max: MAX_LISTS, ttlMs: CACHE_MS, clock });
  let modelLists = noLists();
  let version: string | undefined;
  let healthyAt = Number.NEGATIVE_INFINITY;
  let backoffUntil = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let problem: string | undefined;
  let healthCheck: Promise<boolean> | undefined;

  async function checkHealth(): Promise<boolean> {
    try {
      const found = await calls.check();
      if (found !== version) log.info({ server: name, version: found }, `a ${kind} server is available`);
      version = found;
      healthyAt = clock.now();
      problem = undefined;
      return true;
    } catch (error) {
      beginBackoff(error);
      return false;
    }
  }

  /** Milliseconds until it may be called again after a failure; 0 where it may be called now. */
  const backoffMs = () => Math.max(0, backoffUntil - clock.now());

  /** Calls that fail during the back-off do not extend it. */
  function beginBackoff(error: unknown): void {
    invalidateHealth();
    problem = `does not answer as it should. ${mend(error)}`;
    modelLists = noLists();
    if (backoffMs() > 0) return;
    const waitMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** failures);
    failures += 1;
    backoffUntil = clock.now() + waitMs;
    log.warn(
      { server: name, reason: messageOf(error), retryInMs: waitMs },
      `a ${kind} server is unavailable; trying again later. ${mend(error)}`,
    );
  }

  /** Forgets the last health check, because something went wrong on the server. */
  function invalidateHealth(): void {
    healthyAt = Number.NEGATIVE_INFINITY;
  }

  async function orBeginBackoff<Result>(signal: AbortSignal, call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      signal.throwIfAborted();
      beginBackoff(error);
      throw error;
    }
  }

  /** A version without the folder has none of ours; what a caller's graph names, it is left to decide itself. */
  async function lookUpModels(
    required: readonly RequiredModel[],
    signal: AbortSignal,
  ): Promise<{ models: string[] } | MissingModel> {
    const models: string[] = [];
    for (const model of required) {
      const available = await listModels(model.folder, signal);
      const found = available === undefined && model.exact ? model.name : findModel(available ?? [], model);
      if (found === undefined) return { missing: model, available: available ?? [] };
      models.push(found);
    }
    return { models };
  }

  /** Whoever asks at the same time gets the same answer: no signal of theirs ends the call. */
  const listModels = (folder: string, signal: AbortSignal): Promise<readonly string[] | undefined> =>
    raceAbort(
      signal,
      modelLists.recall(folder, () => calls.models(folder)),
    );

  return {
    /** For logs. */
    name,
    /** Drawings of this process that are on the server now. */
    load: 0,
    backoffMs,

    /** Whether it answers; checked again where the last check is too old. A failed check begins a back-off. */
    async isHealthy(signal: AbortSignal): Promise<boolean> {
      if (clock.now() - healthyAt < CACHE_MS) return true;
      healthCheck ??= checkHealth().finally(() => {
        healthCheck = undefined;
      });
      return raceAbort(signal, healthCheck);
    },

    /** Why it does not draw now, and what the operator can do; undefined where it does, as far as anybody knows. */
    problem: () => problem,

    invalidateHealth,

    /** The names of the models in a folder such as `checkpoints`; undefined where its version has no such folder. */
    models: (folder: string, signal: AbortSignal) => orBeginBackoff(signal, listModels(folder, signal)),

    /** How many drawings are pending or running, whoever sent them. A call that fails begins a back-off. */
    queueLength: (signal: AbortSignal) => orBeginBackoff(signal, calls.queueLength(signal)),

    /** The server's own names of the required models, in the same order. A call that fails begins a back-off. */
    async findModels(required: readonly RequiredModel[], signal: AbortSignal) {
      const found = await orBeginBackoff(signal, lookUpModels(required, signal));
      if (failures > 0) log.info({ server: name, version }, `a ${kind} server is available again`);
      failures = 0;
      return found;
    },

    close: calls.close,
  };
}
