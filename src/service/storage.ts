import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { sqlitePath } from '../sqlite.ts';
import { openVault, type Vault } from '../vault.ts';

/** Where everything is when there is no database file to keep it beside. */
const FOLDER = 'data';

export interface Storage {
  databaseUrl: string;
  filesFolder: string;
  vault: Vault;
}

/**
 * Where a service keeps what it must not lose. Pictures and the key file lie beside an SQLite database; with any other,
 * pictures lie in `data/pictures`, which processes that share the database must share too, and `SECRET_KEY` is set.
 */
export async function openStorage(
  config: Pick<Config, 'SERVICE_DATABASE_URL' | 'SECRET_KEY'>,
): Promise<Storage> {
  const databaseUrl = config.SERVICE_DATABASE_URL;
  const path = sqlitePath(databaseUrl);
  const folder = path === undefined ? FOLDER : dirname(path);
  const vault = await openVault(config.SECRET_KEY, folder);
  return { databaseUrl, filesFolder: join(folder, 'pictures'), vault };
}
