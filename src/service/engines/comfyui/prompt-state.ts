import {
  type ExecutionError,
  type ExecutionStatus,
  executionError,
  type ImageFile,
  type Outputs,
} from './answers.ts';
import type { ComfyClient } from './client.ts';
import type { Features } from './version.ts';

/** How a prompt is doing. `unknown`: the server knows nothing of it. */
export type PromptState =
  | { at: 'unknown' | 'pending' | 'running' | 'interrupted' }
  | { at: 'done'; images: readonly ImageFile[] }
  | { at: 'failed'; error: ExecutionError };

/** Asks a server how a prompt is doing, in the way that its version knows. */
export async function askState(
  client: ComfyClient,
  { jobs }: Features,
  promptId: string,
  signal?: AbortSignal,
): Promise<PromptState> {
  return jobs ? askJobs(client, promptId, signal) : askHistory(client, promptId, signal);
}

async function askJobs(client: ComfyClient, promptId: string, signal?: AbortSignal): Promise<PromptState> {
  const job = await client.job(promptId, signal);
  if (!job) return { at: 'unknown' };
  switch (job.status) {
    case 'pending':
      return { at: 'pending' };
    case 'completed':
      return readEnd(job.outputs ?? {}, job.execution_status);
    case 'failed':
      return readEnd(job.outputs ?? {}, { messages: [], ...job.execution_status, status_str: 'error' });
    case 'cancelled':
      return { at: 'interrupted' };
    default:
      return { at: 'running' };
  }
}

/** A history without the prompt says nothing: it is empty until the prompt is done. Only the queue tells it from lost. */
async function askHistory(client: ComfyClient, promptId: string, signal?: AbortSignal): Promise<PromptState> {
  const entry = await client.history(promptId, signal);
  if (entry) return readEnd(entry.outputs, entry.status);
  const { running, pending } = await client.queue(signal);
  if (running.includes(promptId)) return { at: 'running' };
  if (pending.includes(promptId)) return { at: 'pending' };
  // It may have ended between the two looks.
  const ended = await client.history(promptId, signal);
  return ended ? readEnd(ended.outputs, ended.status) : { at: 'unknown' };
}

/**
 * The last word of an execution counts, not `status_str`: that says `error` for what was interrupted too, and may be
 * left from the execution before.
 */
export function readEnd(outputs: Outputs, status: ExecutionStatus): PromptState {
  for (const message of (status?.messages ?? []).toReversed()) {
    switch (message?.[0]) {
      case 'execution_success':
        return done(outputs);
      case 'execution_interrupted':
        return { at: 'interrupted' };
      case 'execution_error':
        return { at: 'failed', error: executionError.parse(message[1]) };
      default:
        break;
    }
  }
  return status?.status_str === 'error' ? { at: 'failed', error: {} } : done(outputs);
}

/** Pictures that were saved come before mere previews. */
function done(outputs: Outputs): PromptState {
  const images = Object.values(outputs)
    .flatMap((output) => output.images ?? [])
    .filter((image) => image !== null);
  const saved = images.filter(({ type }) => type !== 'temp');
  return { at: 'done', images: saved.length > 0 ? saved : images };
}
