import { dirname } from 'node:path';
import { sqlitePath } from '@darkroom/storage';
import type { Config } from '../../config.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';
import { notYetMade } from './not-yet-made.ts';

/** Whether the included service can use its database and store pictures. It may run, in another process. */
export const databaseCheckups = (config: Config, words: Words): Checkups =>
  config.IMAGE_API_URL === undefined ? { 'service database': () => examine(config, words) } : {};

async function examine(config: Config, words: Words): Promise<string> {
  const { doctor } = words;
  // Loaded by whoever has a service in the process.
  const { examineDatabase } = await import('@darkroom/image-service');
  const found = await examineDatabase(config);
  if (found === 'missing')
    return notYetMade(dirname(sqlitePath(config.SERVICE_DATABASE_URL) ?? 'data'), words);
  return found === 'ready' ? doctor.readyDatabase : doctor.outdatedDatabase;
}
