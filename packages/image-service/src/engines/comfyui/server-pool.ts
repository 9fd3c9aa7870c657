import type { Clock } from '@darkroom/time';
import { DrawingError } from '../engine.ts';
import { explainMissingModel } from './explain.ts';
import type { GraphPlan } from './graph-plan.ts';
import type { RequiredModel } from './models.ts';
import type { ComfyServer, MissingModel } from './server.ts';

/** How often servers are tried while none has room. */
const POLL_MS = 1_000;

/** Room for one prompt on a server, until it is released. */
export interface ServerSlot {
  server: ComfyServer;
  /** The server's own names of the required models. */
  models: readonly string[];
  release(): void;
}

export type ServerPool = ReturnType<typeof createServerPool>;

/** Load balancing: the next prompt goes to the least loaded server that is healthy and has the models. */
export function createServerPool({
  servers,
  promptsPerServer,
  clock,
}: {
  servers: readonly ComfyServer[];
  /** Prompts of this process on one server at once. */
  promptsPerServer: number;
  clock: Clock;
}) {
  /** Aborts when a slot is released. */
  let released = new AbortController();

  const healthyServers = async (signal: AbortSignal): Promise<ComfyServer[]> => {
    const candidates = servers.filter((server) => server.backoffMs() === 0);
    const healthy = await Promise.all(candidates.map((server) => server.isHealthy(signal)));
    return candidates.filter((_, index) => healthy[index]);
  };

  /** How many prompts of others each server has. A server that does not answer is left out. */
  async function foreignLoad(
    candidates: ComfyServer[],
    signal: AbortSignal,
  ): Promise<Map<ComfyServer, number>> {
    const counted = await Promise.all(
      candidates.map(async (server) => {
        try {
          const prompts = await server.queueLength(signal);
          return [[server, Math.max(0, prompts - server.load)]] as const;
        } catch {
          signal.throwIfAborted();
          return [];
        }
      }),
    );
    return new Map(counted.flat());
  }

  /**
   * Takes a slot on the least loaded server that has the models and room; servers are asked for their models in order of
   * load, and only until one is found. Undefined where there is no room now.
   */
  async function tryAcquire(plan: GraphPlan, signal: AbortSignal, avoid: ComfyServer | undefined) {
    const candidates = await foreignLoad(await healthyServers(signal), signal);
    const modelsOf = new Map<ComfyServer, readonly string[]>();
    const lacking: MissingModel[] = [];
    for (;;) {
      const server = leastLoaded(candidates, avoid);
      if (!server) break;
      const models = modelsOf.get(server);
      if (models) {
        // Without an await in between, so that no other drawing takes the same room.
        if (server.load < promptsPerServer) return take(server, models);
        candidates.delete(server);
        continue;
      }
      try {
        const found = await server.findModels(plan.required, signal);
        if ('missing' in found) {
          lacking.push(found);
          candidates.delete(server);
        } else {
          modelsOf.set(server, found.models);
        }
      } catch {
        signal.throwIfAborted();
        candidates.delete(server);
      }
    }
    const [missing] = lacking;
    if (missing && lacking.length === servers.length) throw new DrawingError(explainMissingModel(missing));
    return undefined;
  }

  return {
    /**
     * Waits for a slot on a server; on `avoid` only where there is no other. Rejects with a `DrawingError` where no server
     * has the models.
     */
    async acquire(plan: GraphPlan, signal: AbortSignal, avoid?: ComfyServer): Promise<ServerSlot> {
      for (;;) {
        signal.throwIfAborted();
        if (released.signal.aborted) released = new AbortController();
        const room = released.signal;
        const slot = await tryAcquire(plan, signal, avoid);
        if (slot) return slot;
        await clock.sleep(POLL_MS, AbortSignal.any([signal, room])).catch(() => undefined);
      }
    },

    /** Milliseconds until a server is tried again, where none answers. */
    backoffMs: (): number => Math.min(...servers.map((server) => server.backoffMs())),

    /** The models in a folder of any server that answers. */
    async models(folder: string, signal: AbortSignal): Promise<string[]> {
      const lists = (await healthyServers(signal)).map((server) =>
        server.models(folder, signal).catch(() => undefined),
      );
      return [...new Set((await Promise.all(lists)).flatMap((names) => names ?? []))].sort();
    },

    /**
     * The model, where no server has it, with all those that they have instead. Undefined where a server has it, or where
     * one that cannot be asked now may have it.
     */
    async missingModel(required: RequiredModel, signal: AbortSignal): Promise<MissingModel | undefined> {
      const healthy = await healthyServers(signal);
      const found = await Promise.all(healthy.map((server) => server.findModels([required], signal)));
      const lists = found.flatMap((result) => ('missing' in result ? [result.available] : []));
      return lists.length < servers.length
        ? undefined
        : { missing: required, available: [...new Set(lists.flat())] };
    },

    healthyServers,
    /** Takes a slot on this server, even where it has no room. */
    take,

    close: async (): Promise<void> => {
      await Promise.all(servers.map(({ client }) => client.close()));
    },
  };

  function take(server: ComfyServer, models: readonly string[] = []): ServerSlot {
    server.load += 1;
    let held = true;
    return {
      server,
      models,
      release() {
        if (!held) return;
        held = false;
        server.load -= 1;
        released.abort();
      },
    };
  }
}

/** The server with the fewest prompts, own and foreign; `avoid` only where there is no other. */
function leastLoaded(foreignLoad: ReadonlyMap<ComfyServer, number>, avoid: ComfyServer | undefined) {
  const [least] = [...foreignLoad]
    .map(([server, prompts]) => ({ server, load: server.load + prompts }))
    .sort(
      (one, other) => Number(one.server === avoid) - Number(other.server === avoid) || one.load - other.load,
    );
  return least?.server;
}
