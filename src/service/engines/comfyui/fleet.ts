import type { Clock } from '../../../clock.ts';
import { DrawingError } from '../engine.ts';
import type { ModelNeed } from './models.ts';
import type { Order } from './order.ts';
import type { ComfyServer, Lack } from './server.ts';

/** How often servers are looked at when none can be had. */
const LOOK_MS = 1_000;

/** A place on a server, until it is given back. */
export interface Place {
  server: ComfyServer;
  /** What the server has for the order's needs. */
  models: readonly string[];
  release(): void;
}

/** Several servers as one: whoever is well, has the models and has least to do gets the next prompt. */
export function createFleet({
  servers,
  promptsPerServer,
  patienceMs,
  clock,
}: {
  servers: readonly ComfyServer[];
  /** Prompts of ours on one server at once: one that runs, and one that spares it the wait in between. */
  promptsPerServer: number;
  /** How long a drawing waits while no server is well. */
  patienceMs: number;
  clock: Clock;
}) {
  let freed = new AbortController();

  const awake = async (signal: AbortSignal): Promise<ComfyServer[]> => {
    const rested = servers.filter((server) => server.rest() === 0);
    const well = await Promise.all(rested.map((server) => server.isWell(signal)));
    return rested.filter((_, index) => well[index]);
  };

  /** How many prompts of others each server has; one that does not answer falls out. */
  async function strangers(
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
   * A place on the server that has least to do of those with the models and room, after which no other is asked;
   * whether any could be used; what one lacks.
   */
  async function look(order: Order, signal: AbortSignal, last: ComfyServer | undefined) {
    const others = await strangers(await awake(signal), signal);
    const supplied = new Map<ComfyServer, readonly string[]>();
    const lacking: Lack[] = [];
    let usable = false;
    for (;;) {
      const server = leastLoaded(others, last);
      if (!server) break;
      const models = supplied.get(server);
      if (models) {
        // Taken at once, so that nobody else who looks finds the same room, or the same server idle.
        if (server.load < promptsPerServer) return { place: take(server, models), usable };
        others.delete(server);
        continue;
      }
      try {
        const supply = await server.supply(order.needs, signal);
        if ('missing' in supply) {
          lacking.push(supply);
          others.delete(server);
        } else {
          usable = true;
          supplied.set(server, supply.models);
        }
      } catch {
        signal.throwIfAborted();
        others.delete(server);
      }
    }
    const [lack] = lacking;
    if (lack && lacking.length === servers.length) throw new DrawingError(wanting(lack));
    return { usable, lack };
  }

  return {
    /**
     * Waits for a place on a server; not on `last` where another one can be had. Rejects with a `DrawingError` where
     * no server has the models, or none has been well for too long.
     */
    async place(order: Order, signal: AbortSignal, last?: ComfyServer): Promise<Place> {
      let illSince: number | undefined;
      for (;;) {
        signal.throwIfAborted();
        if (freed.signal.aborted) freed = new AbortController();
        const room = freed.signal;
        const { place, usable, lack } = await look(order, signal, last);
        if (place) return place;
        if (usable) illSince = undefined;
        else illSince ??= clock.now();
        if (illSince !== undefined && clock.now() - illSince >= patienceMs) {
          throw new DrawingError(
            lack ? wanting(lack) : 'No image server can be reached at the moment. Try again later.',
          );
        }
        await clock.sleep(LOOK_MS, AbortSignal.any([signal, room])).catch(() => undefined);
      }
    },

    /**
     * What no server has, beside all that they have in its place. Undefined where one has it, or where one that cannot
     * be asked now might.
     */
    async lack(need: ModelNeed, signal: AbortSignal): Promise<Lack | undefined> {
      const well = await awake(signal);
      const supplies = await Promise.all(well.map((server) => server.supply([need], signal)));
      const lists = supplies.flatMap((supply) => ('listed' in supply ? [supply.listed] : []));
      return lists.length < servers.length
        ? undefined
        : { missing: need, listed: [...new Set(lists.flat())] };
    },

    /** The servers that are well now. */
    awake,
    take,

    close: async (): Promise<void> => {
      await Promise.all(servers.map(({ client }) => client.close()));
    },
  };

  function take(server: ComfyServer, models: readonly string[] = []): Place {
    server.load += 1;
    let held = true;
    return {
      server,
      models,
      release() {
        if (!held) return;
        held = false;
        server.load -= 1;
        freed.abort();
      },
    };
  }
}

/** The one with the fewest prompts now, ours and those of others; `last` only where it is alone. */
function leastLoaded(others: ReadonlyMap<ComfyServer, number>, last: ComfyServer | undefined) {
  const [least] = [...others]
    .map(([server, prompts]) => ({ server, load: server.load + prompts }))
    .sort(
      (one, other) => Number(one.server === last) - Number(other.server === last) || one.load - other.load,
    );
  return least?.server;
}

/** The first names of a list are enough to see what to ask for. */
const SHOWN = 20;

/** That there is no such model, and which there are, in a sentence. */
export function wanting({ missing, listed }: Lack): string {
  const shown = listed.slice(0, SHOWN).join(', ');
  const more = listed.length > SHOWN ? `, and ${listed.length - SHOWN} more` : '';
  return `There is no model ${missing.name} in ${missing.folder}; the servers have ${shown ? `${shown}${more}` : 'none at all'}.`;
}
