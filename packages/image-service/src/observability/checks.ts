import { type Check, type Finding, failing, ok } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import type { ServiceDatabase } from '../database/database.ts';
import { proveWritable } from '../database/prove-writable.ts';
import type { EngineServer } from '../engines/engine.ts';
import type { WatchedPlace } from '../files/watched-place.ts';
import type { BudgetReading } from '../ledger/expenses.ts';

/** What the service cannot do its work without, and each server that it draws on. */
export const createChecks = ({
  db,
  place,
  servers,
  budget,
}: {
  db: ServiceDatabase;
  place: Pick<WatchedPlace, 'problem'>;
  /** Each under the name of its engine and its own. */
  servers: readonly EngineServer[];
  /** Where there is one. */
  budget: (() => Promise<readonly BudgetReading[]>) | undefined;
}): Readonly<Record<string, Check>> => ({
  async database() {
    try {
      await proveWritable(db);
      return ok('takes writes');
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return failing(`the database ${error.problem}`);
      throw error;
    }
  },

  pictures() {
    const problem = place.problem();
    return problem === undefined ? ok('takes files') : failing(`the place for pictures ${problem}`);
  },

  ...(budget && { budget: async () => findingOfBudget(await budget()) }),

  ...Object.fromEntries(servers.map((server) => [server.name, checkOf(server, servers)])),
});

/** What costs money is missed once it is spent; the rest goes on. */
function findingOfBudget(readings: readonly BudgetReading[]): Finding {
  const reason = readings
    .map(({ period, spent, budget }) => `${spent} of ${budget} this ${period}`)
    .join(', ');
  return {
    state: readings.some(({ isNearlySpent }) => isNearlySpent) ? 'degraded' : 'ok',
    reason: `${reason} is spent`,
  };
}

/** One server that does not answer is missed; without any, nothing is drawn. */
const checkOf =
  (server: EngineServer, all: readonly EngineServer[]): Check =>
  async (signal) => {
    if (await server.isHealthy(signal)) return ok('answers');
    const others = await Promise.all(all.map((each) => each !== server && each.isHealthy(signal)));
    const problem = server.problem?.() ?? 'does not answer';
    return others.includes(true)
      ? { state: 'degraded', reason: `${problem}; others draw` }
      : failing(problem);
  };
