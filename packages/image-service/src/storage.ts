import { dirname, join } from 'node:path';
import { ownCommand } from '@darkroom/process';
import { openVault, sqlitePath } from '@darkroom/storage';
import type { ServiceConfig } from './config.ts';

/** The folder of everything that is in no database, unless there is a database file: then its folder. */
const DEFAULT_FOLDER = 'data';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

type StorageConfig = Pick<
  ServiceConfig,
  'SERVICE_DATABASE_URL' | 'PICTURES_URL' | 'PICTURES_ENDPOINT' | 'AWS_REGION' | 'SECRET_KEY'
>;

/** Where a service stores its data, opened by nobody yet. */
export function placesOf(config: StorageConfig) {
  const databaseUrl = config.SERVICE_DATABASE_URL;
  const path = sqlitePath(databaseUrl);
  const folder = path === undefined ? DEFAULT_FOLDER : dirname(path);
  const url = config.PICTURES_URL ?? `file://${join(folder, 'pictures')}`;
  return {
    databaseUrl,
    folder,
    pictures: { url, endpoint: config.PICTURES_ENDPOINT, region: config.AWS_REGION },
  };
}

/**
 * Where a service stores its data. With SQLite, the key file and, unless `PICTURES_URL` says otherwise, the pictures
 * are in the folder of the database. With PostgreSQL, the pictures are in `data/pictures`, and `SECRET_KEY` is set.
 * Only who `takesNewSecret` makes a key file beside a database that is there.
 */
export async function openStorage(
  config: StorageConfig,
  { takesNewSecret = false }: { takesNewSecret?: boolean } = {},
) {
  const { folder, ...places } = placesOf(config);
  const file = takesNewSecret ? undefined : sqlitePath(places.databaseUrl);
  const sealed = { file, reset: ownCommand('service', 'vault reset') };
  return { ...places, vault: await openVault(config.SECRET_KEY, folder, sealed) };
}
