import type { Cleanup, Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { onDatabase, openDatabase, type ServiceDatabase } from './database/database.ts';
import { createDatabaseClock } from './database/database-clock.ts';
import type { FilePlace } from './files/file-place.ts';
import { provePlace } from './files/place-proof.ts';
import type { ServiceLimits } from './limits.ts';
import type { Prometheus } from './observability/prometheus.ts';
import { createDurationEstimates } from './tasks/duration-estimates.ts';
import { proveDatabase } from './vault/database-proof.ts';

/**
 * Opens the database and its clock, reads what the past teaches, and makes sure that the secret and the place for
 * pictures are those of the database. `cleanup` closes what this has opened.
 */
export async function openStored(
  {
    databaseUrl,
    place,
    vault,
    workflows,
    limits,
    clock: givenClock,
    log,
    prometheus,
  }: {
    databaseUrl: string;
    place: FilePlace;
    vault: Vault;
    workflows: readonly string[];
    limits: Pick<ServiceLimits, 'taskMs'>;
    /** The database's unless given. */
    clock?: Clock | undefined;
    log: Log;
    prometheus?: Prometheus | undefined;
  },
  cleanup: Cleanup,
) {
  const onStatement = prometheus?.metrics.statement;
  const db = await openDatabase(databaseUrl, { ...(givenClock && { clock: givenClock }), log, onStatement });
  cleanup.add(() => db.destroy());
  return onDatabase(databaseUrl, async () => {
    const clock = givenClock ?? (await clockOf(db, cleanup));
    await proveDatabase(db, vault);
    const proof = await provePlace(db, place);
    const durationEstimates = createDurationEstimates({ db, workflows, limits, clock });
    await durationEstimates.learnFromPast();
    return { db, clock, proof, durationEstimates };
  });
}

async function clockOf(db: ServiceDatabase, cleanup: Cleanup): Promise<Clock> {
  const { clock, close } = await createDatabaseClock(db);
  cleanup.add(close);
  return clock;
}
