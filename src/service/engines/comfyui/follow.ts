import type { Clock } from '../../../clock.ts';
import type { Graph } from '../../../contract/graph.ts';
import { DrawingError } from '../engine.ts';
import type { ImageFile } from './answers.ts';
import { AttemptLost, CallFailed } from './failure.ts';
import type { Nap } from './nap.ts';
import { explainExecutionError } from './node-errors.ts';
import { askState } from './prompt-state.ts';
import type { ComfyServer } from './server.ts';

export interface FollowTimes {
  /** Between an answer and the next question. */
  pollMs: number;
  /** How long a server may be silent about a prompt before the prompt counts as lost. */
  silenceMs: number;
}

/** A prompt that the server does not know is asked for once more: it may just change from one list to another. */
const UNKNOWN_TIMES = 2;

/**
 * Asks for a prompt until it has ended; returns its pictures. Rejects with `AttemptLost` where the server has lost or
 * interrupted it, with `DrawingError` where the graph failed.
 */
export async function follow({
  server,
  promptId,
  graph,
  times,
  nap,
  clock,
  signal,
  onRunning,
}: {
  server: ComfyServer;
  promptId: string;
  graph: Graph;
  times: FollowTimes;
  /** Woken where something tells early that the prompt has ended. */
  nap: Nap;
  clock: Clock;
  signal: AbortSignal;
  onRunning(): void;
}): Promise<readonly ImageFile[]> {
  let heardAt = clock.now();
  let unknown = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const state = await askState(server.client, server.features, promptId, signal);
      heardAt = clock.now();
      unknown = state.at === 'unknown' ? unknown + 1 : 0;
      switch (state.at) {
        case 'done':
          return state.images;
        case 'failed':
          throw new DrawingError(`${explainExecutionError(graph, state.error)}.`);
        case 'interrupted':
          throw new AttemptLost('the prompt was interrupted on the server');
        case 'running':
          onRunning();
          break;
        case 'unknown':
          if (unknown >= UNKNOWN_TIMES) throw new AttemptLost('the server does not know the prompt any more');
          break;
        default:
          break;
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (clock.now() - heardAt >= times.silenceMs)
        throw new AttemptLost('the server has not answered for too long', { cause: error });
    }
    await nap.sleep(times.pollMs, signal);
  }
}
