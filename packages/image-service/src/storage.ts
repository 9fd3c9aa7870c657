import { dirname, join } from 'node:path';
import { openVault, sqlitePath, type Vault } from '@darkroom/storage';
import type { ServiceConfig } from './config.ts';

/** The folder of everything that is in no database, unless there is a database file: then its folder. */
const DEFAULT_FOLDER = 'data';

export interface Storage {
  databaseUrl: string;
  filesFolder: string;
  vault: Vault;
}

type StorageConfig = Pick<ServiceConfig, 'SERVICE_DATABASE_URL' | 'SECRET_KEY'>;

/** Where a service stores its data, opened by nobody yet. */
export function placesOf(config: StorageConfig): Omit<Storage, 'vault'> & { folder: string } {
  const databaseUrl = config.SERVICE_DATABASE_URL;
  const path = sqlitePath(databaseUrl);
  const folder = path === undefined ? DEFAULT_FOLDER : dirname(path);
  return { databaseUrl, folder, filesFolder: join(folder, 'pictures') };
}

/**
 * Where a service stores its data. With SQLite, pictures and the key file are in the folder of the database. With
 * PostgreSQL, pictures are in `data/pictures`, which all processes on the database must share, and `SECRET_KEY` is set.
 */
export async function openStorage(config: StorageConfig): Promise<Storage> {
  const { folder, ...places } = placesOf(config);
  return { ...places, vault: await openVault(config.SECRET_KEY, folder) };
}
