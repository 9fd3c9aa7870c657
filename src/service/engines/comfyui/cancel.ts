import type { ComfyClient } from './client.ts';
import { CallFailed } from './failure.ts';
import type { ComfyServer } from './server.ts';

/** For all calls that it takes: somebody waits for the end. */
const CANCEL_MS = 5_000;

/** Takes a prompt from a server, whether it waits or runs; one that has ended stays as it is. */
export async function cancelPrompt({ client, features }: ComfyServer, promptId: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  if (!features.jobs) return cancelByQueue(client, promptId, signal);
  try {
    await client.cancelJob(promptId, signal);
  } catch (error) {
    // The server may have been replaced by an older one.
    const unknownCall = error instanceof CallFailed && (error.status === 404 || error.status === 405);
    if (!unknownCall) throw error;
    await cancelByQueue(client, promptId, signal);
  }
}

/** Versions that know no target interrupt whatever runs, so it is made sure that this is ours. */
async function cancelByQueue(client: ComfyClient, promptId: string, signal: AbortSignal): Promise<void> {
  await client.dequeue(promptId, signal);
  const { running } = await client.queue(signal);
  if (running.includes(promptId)) await client.interrupt(promptId, signal);
}
