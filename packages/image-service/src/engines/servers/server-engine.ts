import { type Log, OperatorError } from '@darkroom/process';
import { type Clock, createInFlight, withEither } from '@darkroom/time';
import type { Engine } from '../engine.ts';
import type { PollTimes } from './patience.ts';
import type { createServerPool } from './pool.ts';
import type { Server } from './server.ts';

/** What every engine is given that draws on servers of the operator. */
export interface ServerEngineOptions extends Partial<PollTimes> {
  /** Addresses such as `http://127.0.0.1:8188`, with user and password where one wants them; at least one. */
  servers: readonly string[];
  clock: Clock;
  log: Log;
  /** Milliseconds for one call, where it does not draw; 10 s unless given. */
  timeoutMs?: number | undefined;
}

/** What one of its servers is opened with. */
export type OpenServer = { url: string } & Pick<ServerEngineOptions, 'clock' | 'log' | 'timeoutMs'>;

type Shared = Omit<Engine, 'name' | 'abilities'>;

/** What every engine is that draws on servers of the operator. */
export function createServerEngine({
  servers,
  pool,
  draw,
}: {
  servers: readonly Server[];
  pool: Pick<ReturnType<typeof createServerPool>, 'healthyServers' | 'close'>;
  /** Its signal also aborts when the engine is closed. */
  draw: Engine['draw'];
}): { engine: Shared; closing: AbortSignal } {
  const closing = new AbortController();
  const inFlight = createInFlight();
  // So that the log says at the start which servers are there.
  pool.healthyServers(closing.signal).catch(() => undefined);

  const engine: Shared = {
    /** One that is not called after a failure is not healthy, nor one that loses what it draws. */
    servers: servers.map((server) => ({
      name: server.name,
      isHealthy: async (signal) =>
        server.backoffMs() === 0 && (await server.isHealthy(signal)) && server.problem() === undefined,
      problem: server.problem,
    })),

    /** Whether all of them answer. */
    async examine(signal) {
      const answer = await Promise.all(servers.map((server) => server.isHealthy(signal)));
      const missed = servers.filter((_, at) => !answer[at]);
      if (missed.length > 0)
        throw new OperatorError(
          missed.map(({ name, problem }) => `${name} ${problem() ?? 'does not answer'}.`).join(' '),
        );
      return `${servers.map(({ name }) => name).join(', ')} ${servers.length > 1 ? 'answer' : 'answers'}`;
    },

    draw: (drawing, options) =>
      inFlight.add(
        withEither([options.signal, closing.signal], (signal) => draw(drawing, { ...options, signal })),
      ),

    /** Stops what is drawn, and waits until that has ended. */
    async close() {
      closing.abort('closing');
      await inFlight.settled();
      await pool.close();
    },
  };

  return { engine, closing: closing.signal };
}
