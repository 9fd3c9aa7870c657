import { ServiceError } from '@darkroom/image-api';
import type { Run } from './run.ts';

/** The key that the payer of a job has linked in place of `refused`, which the service accepts no more. */
export async function keyInPlaceOf(
  { job, deps: { keyOf } }: Pick<Run, 'job' | 'deps'>,
  refused: string,
): Promise<string | undefined> {
  const apiKey = await keyOf(job().payer).catch(() => undefined);
  return apiKey === refused ? undefined : apiKey;
}

/** Where `error` says that the key is not accepted: has that one pay for what follows. Says whether there is one. */
export async function replaceKey(run: Run, refused: string, error: unknown): Promise<boolean> {
  if (!(error instanceof ServiceError && error.kind === 'unauthorized')) return false;
  const apiKey = await keyInPlaceOf(run, refused);
  if (apiKey === undefined) return false;
  await run.tryWrite((job) => ({ ...job, ...(job.secrets && { secrets: { ...job.secrets, apiKey } }) }));
  return true;
}
