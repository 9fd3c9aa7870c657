import { type Log, messageOf } from '@darkroom/process';
import { type Clock, createCache, MINUTE_MS, raceAbort } from '@darkroom/time';
import { createPause } from './pause.ts';
import { findModel, type MissingModel, type RequiredModel } from './required-model.ts';

/** How long the result of a health check and a list of models are cached. */
const CACHE_MS = 30_000;
/** Folders whose models are remembered: more than any graph names. */
const MAX_LISTS = 100;
/** How long a server is not called after a failure. */
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** How long a server that has lost a drawing gets none that another one can draw. */
const REST = { firstMs: 15_000, maxMs: 10 * MINUTE_MS };
/** One drawing may be lost because somebody has started the server anew. */
const LOSSES_IN_A_ROW = 2;

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
  const backoff = createPause({ ...BACKOFF, clock });
  const rest = createPause({ ...REST, clock });
  let problem: string | undefined;
  let whyLost = '';
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

  function beginBackoff(error: unknown): void {
    invalidateHealth();
    problem = `does not answer as it should. ${mend(error)}`;
    modelLists = noLists();
    const waitMs = backoff.begin();
    if (waitMs === undefined) return;
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
    /** Milliseconds until it may be called again after a failure; 0 where it may be called now. */
    backoffMs: backoff.leftMs,
    /** Whether it has just lost a drawing, so that another one draws what it can. */
    isResting: () => rest.leftMs() > 0,

    /** Whether it answers; checked again where the last check is too old. A failed check begins a back-off. */
    async isHealthy(signal: AbortSignal): Promise<boolean> {
      if (clock.now() - healthyAt < CACHE_MS) return true;
      healthCheck ??= checkHealth().finally(() => {
        healthCheck = undefined;
      });
      return raceAbort(signal, healthCheck);
    },

    /**
     * Why it does not draw now, and what the operator can do; undefined where it does, as far as anybody knows: what it
     * loses is forgotten after its rest, as only a drawing shows whether it still does, and may not come before.
     */
    problem: () =>
      rest.count() >= LOSSES_IN_A_ROW && rest.leftMs() > 0 ? `loses what it draws: ${whyLost}` : problem,

    invalidateHealth,

    /** It has lost a drawing: many of those that answer as if nothing had happened lose the next one, too. */
    loseDrawing(reason: string): void {
      invalidateHealth();
      whyLost = reason;
      rest.begin();
    },

    keepDrawing: rest.end,

    /** The names of the models in a folder such as `checkpoints`; undefined where its version has no such folder. */
    models: (folder: string, signal: AbortSignal) => orBeginBackoff(signal, listModels(folder, signal)),

    /** How many drawings are pending or running, whoever sent them. A call that fails begins a back-off. */
    queueLength: (signal: AbortSignal) => orBeginBackoff(signal, calls.queueLength(signal)),

    /** The server's own names of the required models, in the same order. A call that fails begins a back-off. */
    async findModels(required: readonly RequiredModel[], signal: AbortSignal) {
      const found = await orBeginBackoff(signal, lookUpModels(required, signal));
      if (backoff.count() > 0) log.info({ server: name, version }, `a ${kind} server is available again`);
      backoff.end();
      return found;
    },

    close: calls.close,
  };
}
