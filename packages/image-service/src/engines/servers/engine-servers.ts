import type { EngineServer } from '../engine.ts';
import type { Server } from './server.ts';

/** As an engine shows its servers: one that rests after a failure is not healthy. */
export const engineServers = (servers: readonly Server[]): EngineServer[] =>
  servers.map((server) => ({
    name: server.name,
    isHealthy: async (signal) => server.backoffMs() === 0 && server.isHealthy(signal),
    problem: server.problem,
  }));
