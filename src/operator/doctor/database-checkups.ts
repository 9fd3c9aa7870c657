import { OperatorError } from '@darkroom/process';
import type { Config } from '../../config.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/** Whether the included service can use its database. It may run, in another process. */
export const databaseCheckups = (config: Config, words: Words): Checkups =>
  config.IMAGE_API_URL === undefined ? { 'service database': () => examine(config, words) } : {};

async function examine(config: Config, { doctor, said }: Words): Promise<string> {
  // Loaded by whoever has a service in the process.
  const { examineDatabase } = await import('@darkroom/image-service');
  const found = await examineDatabase(config).catch((error: unknown) => {
    throw error instanceof OperatorError ? new OperatorError(said(error.message)) : error;
  });
  const sentences = {
    missing: doctor.notYetMade,
    outdated: doctor.outdatedDatabase,
    ready: doctor.readyDatabase,
  };
  return sentences[found];
}
