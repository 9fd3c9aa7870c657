import type { Graph } from '@darkroom/image-api';
import type { Clock, WakeableSleep } from '@darkroom/time';
import { CallFailed } from '../call-failed.ts';
import { DrawingError } from '../engine.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import { explainExecutionError } from './explain.ts';
import { fetchPromptState } from './prompt-state.ts';
import type { ImageFile } from './responses.ts';
import type { ComfyServer } from './server.ts';
import { INPUT_GONE, readsOneOf, type Uploads } from './uploads.ts';

interface PollTimes {
  /** Milliseconds between an answer and the next poll. */
  pollMs: number;
  /** Milliseconds without an answer after which the prompt counts as lost. */
  silenceMs: number;
}

/** A graph on its way through one server. */
export interface PromptOnServer {
  server: ComfyServer;
  graph: Graph;
  /** What was uploaded for it. */
  uploaded: Uploads;
  times: PollTimes;
  clock: Clock;
}

/** A prompt may be in neither list for a moment, while the server moves it from the queue to the history. */
const MAX_UNKNOWN = 2;

/**
 * Polls a prompt until it has ended; returns its pictures. Rejects with `DrawingLost` where the server has lost or
 * interrupted it, and with `DrawingError` where the graph failed.
 */
export async function pollPrompt(
  { server, graph, uploaded, times, clock }: PromptOnServer,
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
): Promise<readonly ImageFile[]> {
  let answeredAt = clock.now();
  let unknown = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const state = await fetchPromptState(server.client, server.features, promptId, signal);
      answeredAt = clock.now();
      unknown = state.status === 'unknown' ? unknown + 1 : 0;
      switch (state.status) {
        case 'done':
          return state.images;
        case 'failed':
          if (readsOneOf(uploaded, graph, state.error.node_id)) throw new DrawingLost(INPUT_GONE);
          throw new DrawingError(`${explainExecutionError(graph, state.error)}.`);
        case 'interrupted':
          throw new DrawingLost('the prompt was interrupted on the server');
        case 'running':
          onRunning();
          break;
        case 'unknown':
          if (unknown >= MAX_UNKNOWN) throw new DrawingLost('the server does not know the prompt any more');
          break;
        default:
          break;
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (clock.now() - answeredAt >= times.silenceMs)
        throw new DrawingLost('the server has not answered for too long', { cause: error });
    }
    await poll.sleep(times.pollMs, signal);
  }
}
