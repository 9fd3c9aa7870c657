import type { Graph } from '@darkroom/image-api';
import type { Clock, WakeableSleep } from '@darkroom/time';
import { DrawingError, GraphError } from '../engine.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import { GPU_LOST, isGpuLost, isOutOfMemory, TOO_LITTLE_MEMORY } from '../servers/gpu-errors.ts';
import { createPatience, type PollTimes } from '../servers/patience.ts';
import { errorText, explainExecutionError } from './explain.ts';
import { fetchPromptState } from './prompt-state.ts';
import type { ImageFile } from './responses.ts';
import type { ComfyServer } from './server.ts';
import { createStandstill } from './standstill.ts';
import { INPUT_GONE, readsOneOf, type UploadedInputs } from './uploads.ts';

/** The graph of a task on its way through one server. */
export interface PromptOnServer {
  server: ComfyServer;
  taskId: string;
  graph: Graph;
  /** What was uploaded for it. */
  uploaded: UploadedInputs;
  /** Whether the server has it already: then it is not submitted again. */
  submitted: boolean;
  /** Whether it may be given up because somebody else's has long been running: another server would take it. */
  mayMove(): Promise<boolean>;
}

/** By what a server is followed. */
export interface Following {
  times: PollTimes;
  clock: Clock;
}

/** A prompt may be in neither list for a moment, while the server moves it from the queue to the history. */
const MAX_UNKNOWN = 2;

/**
 * Polls a prompt until it has ended; returns its pictures. Rejects with `DrawingLost` where the server has lost or
 * interrupted it, takes up no prompt any more or has no GPU any more, with `GraphError` where the graph failed,
 * and with `DrawingError` where it did not fit into the GPU.
 */
export async function pollPrompt(
  { server, graph, uploaded, mayMove }: PromptOnServer,
  {
    promptId,
    poll,
    signal,
    onRunning,
  }: {
    promptId: string;
    /** Woken by the event that the prompt has ended. */
    poll: WakeableSleep;
    signal: AbortSignal;
    onRunning(): void;
  },
  { times, clock }: Following,
): Promise<readonly ImageFile[]> {
  const patient = createPatience(times, clock);
  const checkStandstill = createStandstill(server, { mayMove, clock });
  let unknown = 0;
  for (;;) {
    signal.throwIfAborted();
    const state = await patient(fetchPromptState(server, promptId, signal));
    if (state) unknown = state.status === 'unknown' ? unknown + 1 : 0;
    switch (state?.status) {
      case 'done':
        return state.images;
      case 'failed':
        if (readsOneOf(uploaded, graph, state.error.node_id)) throw new DrawingLost(INPUT_GONE);
        if (isGpuLost(errorText(state.error))) throw new DrawingLost(GPU_LOST);
        if (isOutOfMemory(errorText(state.error))) throw new DrawingError(TOO_LITTLE_MEMORY);
        throw new GraphError(explainExecutionError(graph, state.error));
      case 'interrupted':
        throw new DrawingLost('the prompt was interrupted on the server');
      case 'running':
        onRunning();
        break;
      case 'pending':
        await patient(checkStandstill(signal));
        break;
      case 'unknown':
        if (unknown >= MAX_UNKNOWN) throw new DrawingLost('the server does not know the prompt any more');
        break;
      default:
        break;
    }
    await poll.sleep(times.pollMs, signal);
  }
}
