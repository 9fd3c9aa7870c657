import { join } from 'node:path';
import { WORKFLOWS } from '@darkroom/image-api';
import { silentLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import { createKnownGuilds } from '../../src/storage/known-guilds.ts';
import { openStore } from '../../src/storage/store.ts';
import { createUsage } from '../../src/usage/usage.ts';
import { aJob, TASKS } from './job.ts';

const DAYS = 28;

/** Fills the store of a playground that does not run with what its members have made, on every day of late. */
export async function fillUsage(
  folder: string,
  guildId: string,
  memberIds: readonly string[],
): Promise<void> {
  const store = await openStore({ url: `sqlite://${join(folder, 'darkroom.sqlite')}`, log: silentLog() });
  const usage = createUsage({ store, knownGuilds: createKnownGuilds({ store }), retentionMs: 90 * DAY_MS });
  const jobs = Array.from({ length: DAYS }, (_, day) =>
    Array.from({ length: Math.round(9 + 6 * Math.sin(day / 3) + ((day * 7) % 5)) }, (_, nth) =>
      aJob({
        id: `${(BigInt(day) << 40n) + 10n ** 17n + BigInt(nth)}`,
        guildId,
        member: { id: memberIds[(nth * nth + day) % memberIds.length] ?? '', locale: 'en-GB' },
        createdAt: Date.now() - day * DAY_MS,
        submission: { prompt: 'a red fox', workflow: WORKFLOWS[(nth * nth) % WORKFLOWS.length] },
        tasks: [(nth + day) % 17 === 0 ? TASKS.failed : { ...TASKS.completed, cost: 1 + (nth % 3) }],
        state: 'delivered',
      }),
    ),
  );
  await store.write(jobs.flat().flatMap(usage.rowsOf));
  await store.close();
}
