import { OperatorError, silentLog } from '@darkroom/process';
import { createInstallation } from '../shards/installation.ts';
import { openStore } from '../storage/store.ts';
import { isSqlite, nameOf, type StoreUrl } from '../storage/store-url.ts';

/**
 * Changes how many shards the processes on a store have, also while they run. Resolves with what the operator reads.
 */
export async function changeShards(url: StoreUrl, shards: number): Promise<string> {
  if (isSqlite(url)) {
    throw new OperatorError(
      `One process serves every shard on ${nameOf(url)}: set SHARDS to ${shards} and start it again.`,
    );
  }
  const store = await openStore({ url, log: silentLog() });
  try {
    await createInstallation(store).change(shards);
  } finally {
    await store.close();
  }
  return (
    `The bot has ${shards} ${shards === 1 ? 'shard' : 'shards'} from now on. Processes that run change over within seconds, and go on with their jobs; ` +
    `none has to be started again. Where SHARDS is set to another number, set it to ${shards} or to auto before the next start.`
  );
}
