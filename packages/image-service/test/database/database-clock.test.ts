import { HOUR_MS } from '@darkroom/time';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createDatabaseClock } from '../../src/database/database-clock.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

/** The machine's time, whatever `Date` says. */
const trueTime = () => performance.timeOrigin + performance.now();

/** From now on this process believes that it is an hour later. */
function leap(): void {
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('shows the time of the database, not that of the process', async () => {
  const { databaseUrl } = await testStorage();
  const db = await openDatabase(databaseUrl);
  leap();
  const { clock, close } = await createDatabaseClock(db);
  onTestFinished(async () => {
    await close();
    await db.destroy();
  });
  expect(Math.abs(clock.now() - trueTime())).toBeLessThan(HOUR_MS / 2);
});

test('a process whose clock leaps draws its tasks on, and credits do not expire with it', async () => {
  const world = await serviceWorld({ clock: 'of the database' });
  await world.service.ledger.grant({
    accountId: world.id,
    amount: 5_000,
    expiresAt: Date.now() + HOUR_MS / 2,
  });
  leap();
  await world.service.sweep();
  expect(await world.balance()).toBe(105);
  expect((await world.until(await world.submitted({ prompt: 'a fox' }))).status).toBe('completed');
});
