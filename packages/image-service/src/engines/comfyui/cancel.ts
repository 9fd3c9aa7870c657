import { isMissing } from '../http-caller.ts';
import type { ComfyClient } from './client.ts';
import type { ComfyServer } from './server.ts';

/** For all the calls together, because the caller waits. */
const TIMEOUT_MS = 5_000;

/** Cancels a pending or running prompt; one that has ended stays as it is. */
export async function cancelPrompt({ client, hasJobs }: ComfyServer, promptId: string): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (!hasJobs) return cancelByQueue(client, promptId, signal);
  try {
    await client.cancelJob(promptId, signal);
  } catch (error) {
    // The server may have been replaced by an older version.
    if (!isMissing(error)) throw error;
    await cancelByQueue(client, promptId, signal);
  }
}

/** Older versions ignore the id and interrupt whatever runs: interrupt only if that is this prompt. */
async function cancelByQueue(client: ComfyClient, promptId: string, signal: AbortSignal): Promise<void> {
  await client.dequeue(promptId, signal);
  const { running } = await client.queue(signal);
  if (running.includes(promptId)) await client.interrupt(promptId, signal);
}
