import type { Clock } from '../../../clock.ts';
import { messageOf } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import { readAddress } from './address.ts';
import { type ComfyClient, createComfyClient } from './client.ts';
import { findModel, type ModelNeed } from './models.ts';
import { type Features, featuresOf } from './version.ts';

/** For how long a server is believed to be well, and to have the models that it had. */
const TRUSTED_MS = 30_000;
/** A server that is not well is left alone, for twice as long each time. */
const REST_MS = { first: 1_000, most: 60_000 } as const;

/** The first of some needs that a server has no model for, and what it has in its place. */
export interface Lack {
  missing: ModelNeed;
  listed: readonly string[];
}

export interface ComfyServer {
  /** For logs. */
  readonly name: string;
  readonly client: ComfyClient;
  /** Of the version that was last seen. */
  readonly features: Features;
  /** Prompts of ours that are there now. */
  load: number;
  /** Milliseconds until it may be tried again; 0 where it may be now. */
  rest(): number;
  /** Whether it is well, asked anew where that is long ago. */
  isWell(signal: AbortSignal): Promise<boolean>;
  /** Something went wrong there: ask before it is used again. */
  doubt(): void;
  /** How many prompts wait or run, whoever sent them. Where that gets no answer, the server rests. */
  queueLength(signal: AbortSignal): Promise<number>;
  /** The server's own names for all needs. Where one gets no answer, the server rests. */
  supply(needs: readonly ModelNeed[], signal: AbortSignal): Promise<{ models: string[] } | Lack>;
}

/** One ComfyUI: how it is, what it can do, what it has. */
export function createServer({
  url,
  clock,
  log,
  timeoutMs,
}: {
  url: string;
  clock: Clock;
  log: Log;
  timeoutMs?: number | undefined;
}): ComfyServer {
  const address = readAddress(url);
  const { name } = address;
  const client = createComfyClient({ address, ...(timeoutMs !== undefined && { timeoutMs }) });
  const lists = new Map<string, { names: string[] | undefined; readAt: number }>();
  let features = featuresOf(undefined);
  let version: string | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  let restUntil = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let asking: Promise<boolean> | undefined;

  async function ask(): Promise<boolean> {
    try {
      const { system } = await client.systemStats();
      if (system.comfyui_version !== version)
        log.info({ server: name, version: system.comfyui_version }, 'a ComfyUI server is available');
      version = system.comfyui_version;
      features = featuresOf(version);
      seenAt = clock.now();
      return true;
    } catch (error) {
      beginRest(error);
      return false;
    }
  }

  const rest = () => Math.max(0, restUntil - clock.now());

  /** What many have asked in vain at the same time is one failure. */
  function beginRest(error: unknown): void {
    doubt();
    lists.clear();
    if (rest() > 0) return;
    const restMs = Math.min(REST_MS.most, REST_MS.first * 2 ** failures);
    failures += 1;
    restUntil = clock.now() + restMs;
    log.warn(
      { server: name, reason: messageOf(error), restMs },
      'a ComfyUI server is unavailable and is left alone for a while; check COMFYUI_URL',
    );
  }

  function doubt(): void {
    seenAt = Number.NEGATIVE_INFINITY;
  }

  async function restUnlessAnswered<Answer>(signal: AbortSignal, asked: Promise<Answer>): Promise<Answer> {
    try {
      return await asked;
    } catch (error) {
      signal.throwIfAborted();
      beginRest(error);
      throw error;
    }
  }

  async function find(
    needs: readonly ModelNeed[],
    signal: AbortSignal,
  ): Promise<{ models: string[] } | Lack> {
    const models: string[] = [];
    for (const need of needs) {
      const listed = await list(need.folder, signal);
      const found = listed === undefined ? need.name : findModel(listed, need);
      if (listed !== undefined && found === undefined) return { missing: need, listed };
      models.push(found ?? need.name);
    }
    return { models };
  }

  async function list(folder: string, signal: AbortSignal): Promise<string[] | undefined> {
    const known = lists.get(folder);
    if (known && clock.now() - known.readAt < TRUSTED_MS) return known.names;
    const names = await client.models(folder, signal);
    lists.set(folder, { names, readAt: clock.now() });
    return names;
  }

  return {
    name,
    client,
    get features() {
      return features;
    },
    load: 0,
    rest,

    async isWell(signal) {
      if (clock.now() - seenAt < TRUSTED_MS) return true;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      const well = await asking;
      signal.throwIfAborted();
      return well;
    },

    doubt,

    queueLength: (signal) => restUnlessAnswered(signal, client.queueLength(signal)),

    async supply(needs, signal) {
      const supply = await restUnlessAnswered(signal, find(needs, signal));
      if (failures > 0) log.info({ server: name, version }, 'a ComfyUI server is available again');
      failures = 0;
      return supply;
    },
  };
}
