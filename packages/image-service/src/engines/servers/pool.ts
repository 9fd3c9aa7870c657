import { type Clock, withEither } from '@darkroom/time';
import { DrawingError } from '../engine.ts';
import { inTime } from './in-time.ts';
import { explainMissingModel, type MissingModel, othersFor, type RequiredModel } from './required-model.ts';
import type { Server } from './server.ts';

/** How often servers are tried while none has room. */
const POLL_MS = 1_000;

/** Room for one drawing on a server, until it is released. */
export interface ServerSlot<Kind extends Server> {
  server: Kind;
  /** The server's own names of the required models. */
  models: readonly string[];
  /** Once. */
  release(): void;
}

/** What the servers can tell before anything is drawn. */
export type ServerDirectory = Pick<
  ReturnType<typeof createServerPool<Server>>,
  'backoffMs' | 'healthyServers' | 'isDrawing' | 'missingModel'
>;

/** Load balancing: the next drawing goes to the least loaded server that is healthy and has the models. */
export function createServerPool<Kind extends Server>({
  servers,
  hasRoom,
  clock,
}: {
  servers: readonly Kind[];
  /** Whether a server takes one more, by how many of this process and of others it has. */
  hasRoom(load: { own: number; foreign: number }): boolean;
  clock: Clock;
}) {
  /** Aborts when a slot is released. */
  let released = new AbortController();

  const healthyServers = async (signal: AbortSignal): Promise<Kind[]> => {
    const candidates = servers.filter((server) => server.backoffMs() === 0);
    const healthy = await Promise.all(candidates.map((server) => server.isHealthy(signal)));
    return candidates.filter((_, index) => healthy[index]);
  };

  /** How many drawings of others each server has. A server that does not answer is left out. */
  async function foreignLoad(candidates: Kind[], signal: AbortSignal): Promise<Map<Kind, number>> {
    const counted = await Promise.all(
      candidates.map(async (server) => {
        try {
          const drawings = await server.queueLength(signal);
          return [[server, Math.max(0, drawings - server.load)]] as const;
        } catch {
          signal.throwIfAborted();
          return [];
        }
      }),
    );
    return new Map(counted.flat());
  }

  /**
   * Takes a slot on the least loaded server that has the models and room; servers are asked for their models in order
   * of load, and only until one is found. Undefined where there is no room now.
   */
  async function tryAcquire(
    required: readonly RequiredModel[],
    signal: AbortSignal,
    avoid: Kind | undefined,
  ): Promise<ServerSlot<Kind> | undefined> {
    const candidates = await foreignLoad(await healthyServers(signal), signal);
    const modelsOf = new Map<Kind, readonly string[]>();
    const lacking: MissingModel[] = [];
    for (;;) {
      const server = leastLoaded(candidates, avoid);
      if (!server) break;
      // One that rests is for what no other can draw, and not for what another has no room for now.
      if (server.isResting() && [...modelsOf.keys()].some((other) => !other.isResting())) return undefined;
      const models = modelsOf.get(server);
      if (models) {
        // Without an await in between, so that no other drawing takes the same room.
        if (hasRoom({ own: server.load, foreign: candidates.get(server) ?? 0 })) return take(server, models);
        candidates.delete(server);
        continue;
      }
      try {
        const found = await server.findModels(required, signal);
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
    if (!missing || lacking.length < servers.length) return undefined;
    const others = othersFor(required);
    if (!others) throw new DrawingError(explainMissingModel(missing));
    return tryAcquire(others, signal, avoid);
  }

  return {
    /**
     * Waits for a slot on a server; on `avoid` only where there is no other. Rejects with a `DrawingError` where no
     * server has the models.
     */
    async acquire(
      required: readonly RequiredModel[],
      signal: AbortSignal,
      avoid?: Kind,
    ): Promise<ServerSlot<Kind>> {
      for (;;) {
        signal.throwIfAborted();
        if (released.signal.aborted) released = new AbortController();
        const room = released.signal;
        const slot = await tryAcquire(required, signal, avoid);
        if (slot) return slot;
        await withEither([signal, room], (ended) => clock.sleep(POLL_MS, ended)).catch(() => undefined);
      }
    },

    /** Milliseconds until a server is tried again, where none answers. */
    backoffMs: (): number => Math.min(...servers.map((server) => server.backoffMs())),

    /** Whether any of them draws for this process: then it may be silent because of that, and is not down. */
    isDrawing: (): boolean => servers.some(({ load }) => load > 0),

    /** The models in a folder of any server that answers in time. */
    async models(folder: string, signal: AbortSignal): Promise<string[]> {
      const healthy = await inTime(() => healthyServers(signal), signal);
      const lists = healthy?.map((server) => inTime(() => server.models(folder, signal), signal));
      return [...new Set((await Promise.all(lists ?? [])).flatMap((names) => names ?? []))].sort();
    },

    /**
     * The model, where no server has it, with all those that they have instead. Undefined where a server has it, or
     * where one that cannot be asked now may have it.
     */
    async missingModel(required: RequiredModel, signal: AbortSignal): Promise<MissingModel | undefined> {
      const healthy = await healthyServers(signal);
      const found = await Promise.all(healthy.map((server) => server.findModels([required], signal)));
      const lists = found.flatMap((result) => ('missing' in result ? [result.available] : []));
      const available = [...new Set(lists.flat())];
      if (lists.length < servers.length || (required.orAny && available.length > 0)) return undefined;
      return { missing: required, available };
    },

    /** Whether another server is healthy, does not rest and has the models. */
    async hasOther(server: Kind, required: readonly RequiredModel[], signal: AbortSignal): Promise<boolean> {
      const others = (await healthyServers(signal)).filter((each) => each !== server && !each.isResting());
      const found = await Promise.all(
        others.map((other) => other.findModels(required, signal).catch(() => undefined)),
      );
      return found.some((result) => result && 'models' in result);
    },

    healthyServers,
    /** Takes a slot on this server, even where it has no room. */
    take,

    close: async (): Promise<void> => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };

  function take(server: Kind, models: readonly string[] = []): ServerSlot<Kind> {
    server.load += 1;
    return {
      server,
      models,
      release() {
        server.load -= 1;
        released.abort();
      },
    };
  }
}

/**
 * The server with the fewest drawings, own and foreign; one that rests only where there is no other, and `avoid` only
 * where there is none at all.
 */
function leastLoaded<Kind extends Server>(foreignLoad: ReadonlyMap<Kind, number>, avoid: Kind | undefined) {
  const [least] = [...foreignLoad]
    .map(([server, drawings]) => ({
      server,
      rank: 2 * Number(server === avoid) + Number(server.isResting()),
      load: server.load + drawings,
    }))
    .sort((one, other) => one.rank - other.rank || one.load - other.load);
  return least?.server;
}
