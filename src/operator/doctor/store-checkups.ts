import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError, silentLog, whileOpen } from '@darkroom/process';
import { keyFileIn, openToOthers, openVault, sqlitePath } from '@darkroom/storage';
import { createSemaphore } from '@darkroom/time';
import type { Config } from '../../config.ts';
import { SETTINGS_FILE } from '../../settings-file.ts';
import { proveWritable } from '../../storage/prove-writable.ts';
import { openStore, type Store } from '../../storage/store.ts';
import { folderOf, isSqlite } from '../../storage/store-url.ts';
import { unusableStore } from '../../storage/unusable-store.ts';
import { proveStore } from '../../storage/vault-proof.ts';
import type { Words } from '../words/words.ts';
import { type Checkups, STORE_TIMEOUT_MS } from './checkup.ts';
import { notYetMade } from './not-yet-made.ts';

/** Whether the store can be written, opens with the secret, and it and the settings are nobody else's to read. */
export function storeCheckups(
  { STORE_URL: url, SECRET_KEY: keys }: Pick<Config, 'STORE_URL' | 'SECRET_KEY'>,
  words: Words,
  settingsFile: string = SETTINGS_FILE,
): Checkups {
  const { doctor } = words;
  const file = isSqlite(url) ? sqlitePath(url) : undefined;
  const folder = folderOf(url);
  /** Nothing is made that is not there yet. */
  const isNew = () => file !== undefined && !existsSync(file);

  /**
   * One at a time. Whoever waits for the lock of an SQLite file holds a thread of libuv's few, and two connections of
   * one process could hold all of them, so that the one with the lock has none left to let it go.
   */
  const connection = createSemaphore(1);
  const withStore = <Result>(use: (store: Store) => Promise<Result>): Promise<Result> =>
    connection.hold(1, async () =>
      whileOpen(await openStore({ url, log: silentLog(), timeoutMs: STORE_TIMEOUT_MS }), use),
    );

  return {
    async store() {
      if (isNew()) return notYetMade(folder, words);
      await withStore(proveWritable).catch((error: unknown) => {
        throw error instanceof OperatorError ? error : unusableStore(url, error);
      });
      return doctor.writableStore;
    },

    async secret() {
      const kept = resolve(keyFileIn(folder));
      const isMissing = keys === undefined && !existsSync(kept);
      const isFirst = isNew();
      if (isMissing && isFirst) return doctor.notYetMade;
      if (isMissing) throw new OperatorError(doctor.lostSecret(kept));
      const vault = await openVault(keys, folder);
      if (isFirst) return doctor.givenSecret(keys === undefined ? kept : 'SECRET_KEY');
      await withStore((store) => proveStore({ store, vault }));
      return doctor.rightSecret;
    },

    async 'file modes'() {
      if (process.platform === 'win32') return doctor.unknownModes(settingsFile, folder);
      const found = await openToOthers(settingsFile, folder);
      if (!found) return doctor.closedFiles(settingsFile, folder);
      throw new OperatorError(doctor.openFiles(found.open, found.command));
    },
  };
}
