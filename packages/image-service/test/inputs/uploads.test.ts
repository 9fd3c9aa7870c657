import { HOUR_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { openDatabase } from '../../src/database/database.ts';
import { boundPlace } from '../../src/files/bounded-place.ts';
import { createFolder } from '../../src/files/folder.ts';
import { examinePicture } from '../../src/inputs/input-picture.ts';
import { createUploads } from '../../src/inputs/uploads.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { paintNoise } from '../support/engines.ts';
import { lendTestStorage, testStorage } from '../support/storage.ts';

/** A picture that hardly compresses: as it is kept, 68 kB. */
const noise = async () => examinePicture((await paintNoise({ width: 150, height: 150 })).bytes);

test('an upload that goes for another is of the same account, and does not come back to life for whoever asked while it went', async () => {
  const { databaseUrl, folder } = await testStorage(lendTestStorage);
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  let time = Date.UTC(2026, 0, 1);
  let onRead = (): void => undefined;
  /** Each look at it takes a millisecond. */
  const clock = {
    ...systemClock,
    now(): number {
      onRead();
      time += 1;
      return time;
    },
  };
  const uploads = createUploads({
    db,
    place: boundPlace(createFolder(folder)),
    clock,
    limits: { ...SERVICE_LIMITS, uploadBytes: 100_000 },
  });
  const accounts = createAccounts({ db, clock });
  const [{ id: accountId }, { id: otherId }] = [await accounts.add('ada'), await accounts.add('bo')];
  const oldest = await uploads.keep({ accountId: otherId }, await noise());
  const older = await uploads.keep({ accountId }, await noise());
  time += 2 * HOUR_MS;

  let used: ReturnType<typeof uploads.use> = Promise.resolve(undefined);
  const stay = {
    signal: new AbortController().signal,
    /** The next who reads the clock is about to let the older one go. */
    remain() {
      onRead = () => {
        onRead = () => undefined;
        used = uploads.use(older.id, accountId);
      };
    },
  };
  await uploads.keep({ accountId, stay }, await noise());
  expect(await used).toBeUndefined();
  expect(await uploads.find(oldest.id, otherId)).toBeDefined();
});
