import { READING } from '@darkroom/process';
import { type Clock, createCache, withTimeout } from '@darkroom/time';
import { sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';
import type { TaskTable } from '../database/tables.ts';
import type { QueueReading } from './metrics.ts';

/** Reads how many tasks wait and run, by workflow; undefined where the database cannot be asked in time. */
export function createQueueReadings({
  db,
  workflows,
  clock,
}: {
  db: ServiceDatabase;
  workflows: readonly string[];
  clock: Clock;
}) {
  const latest = createCache<'readings', Promise<QueueReading[] | undefined>>({
    max: 1,
    ttlMs: READING.freshMs,
    clock,
  });

  /**
   * From an index alone, as it begins with both: of a long queue its rows would take a hundred times as long.
   */
  const waitingIn = (workflow: string, lane: TaskTable['lane']) =>
    db
      .selectFrom('tasks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .select((eb) => eb.fn.min<number | null>('createdAt').as('oldest'))
      .where('state', '=', sql.lit('pending'))
      .where('lane', '=', lane)
      .where('workflow', '=', workflow)
      .executeTakeFirstOrThrow();

  async function read(): Promise<QueueReading[]> {
    const running = await db
      .selectFrom('tasks')
      .select(['workflow', (eb) => eb.fn.countAll<number>().as('count')])
      .where('state', '=', 'processing')
      .groupBy('workflow')
      .execute();
    const readings: QueueReading[] = [];
    for (const workflow of workflows) {
      const lanes = [await waitingIn(workflow, 'engine'), await waitingIn(workflow, 'cpu')];
      const oldest = Math.min(...lanes.map((lane) => lane.oldest ?? Infinity));
      readings.push({
        workflow,
        waiting: lanes.reduce((sum, { count }) => sum + count, 0),
        running: running.find((row) => row.workflow === workflow)?.count ?? 0,
        oldestMs: Math.max(0, clock.now() - oldest),
      });
    }
    return readings;
  }

  return (): Promise<QueueReading[] | undefined> =>
    latest.recall('readings', () => withTimeout(READING.timeoutMs, read).catch(() => undefined));
}
