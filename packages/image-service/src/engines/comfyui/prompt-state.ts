import type { ComfyClient } from './client.ts';
import {
  type ExecutionError,
  type ExecutionStatus,
  executionError,
  type ImageFile,
  type Outputs,
} from './responses.ts';
import type { ComfyServer } from './server.ts';

/** The state of a prompt on a server. `unknown`: the server has no such prompt. */
type PromptState =
  | { status: 'unknown' | 'pending' | 'running' | 'interrupted' }
  | { status: 'done'; images: readonly ImageFile[] }
  | { status: 'failed'; error: ExecutionError };

/** Asks a server for the state of a prompt, in the way that its version supports. */
export async function fetchPromptState(
  { client, hasJobs }: Pick<ComfyServer, 'client' | 'hasJobs'>,
  promptId: string,
  signal: AbortSignal,
): Promise<PromptState> {
  if (!hasJobs) return stateFromHistory(client, promptId, signal);
  const job = await client.job(promptId, signal);
  if (!job) return { status: 'unknown' };
  switch (job.status) {
    case 'pending':
      return { status: 'pending' };
    case 'completed':
      return finalState(job.outputs ?? {}, job.execution_status);
    case 'failed':
      return finalState(job.outputs ?? {}, { messages: [], ...job.execution_status, status_str: 'error' });
    case 'cancelled':
      return { status: 'interrupted' };
    default:
      return { status: 'running' };
  }
}

/**
 * The history has no entry until the prompt is done; until then, only the queue tells whether the prompt is there.
 */
async function stateFromHistory(
  client: ComfyClient,
  promptId: string,
  signal: AbortSignal,
): Promise<PromptState> {
  const entry = await client.history(promptId, signal);
  if (entry) return finalState(entry.outputs, entry.status);
  const { running, pending } = await client.queue(signal);
  if (running.includes(promptId)) return { status: 'running' };
  if (pending.includes(promptId)) return { status: 'pending' };
  // It may have ended between the two requests.
  const ended = await client.history(promptId, signal);
  return ended ? finalState(ended.outputs, ended.status) : { status: 'unknown' };
}

/**
 * The state of an execution that has ended. Its last event counts, not `status_str`: that is `error` for an
 * interrupted execution too, and may be left over from the execution before.
 */
export function finalState(outputs: Outputs, status: ExecutionStatus): PromptState {
  for (const message of (status?.messages ?? []).toReversed()) {
    switch (message?.[0]) {
      case 'execution_success':
        return done(outputs);
      case 'execution_interrupted':
        return { status: 'interrupted' };
      case 'execution_error':
        return { status: 'failed', error: executionError.parse(message[1]) };
      default:
        break;
    }
  }
  return status?.status_str === 'error' ? { status: 'failed', error: {} } : done(outputs);
}

/** Saved pictures before previews, which are of the type `temp`. */
function done(outputs: Outputs): PromptState {
  const images = Object.values(outputs)
    .flatMap((output) => output.images ?? [])
    .filter((image) => image !== null);
  const saved = images.filter(({ type }) => type !== 'temp');
  return { status: 'done', images: saved.length > 0 ? saved : images };
}
