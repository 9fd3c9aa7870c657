import type { Clock } from '../../../clock.ts';
import type { Graph } from '../../../contract/graph.ts';
import type { Log } from '../../../log.ts';
import { type Development, DrawingError, type Picture } from '../engine.ts';
import type { ImageFile } from './answers.ts';
import { cancelPrompt } from './cancel.ts';
import type { Submitted } from './client.ts';
import { createDevelopments } from './developments.ts';
import type { ComfyEvent } from './events.ts';
import { AttemptLost, CallFailed } from './failure.ts';
import { type Feed, openFeed } from './feed.ts';
import { type FollowTimes, follow } from './follow.ts';
import { createNap } from './nap.ts';
import { explainNodeErrors } from './node-errors.ts';
import { createPercent } from './percent.ts';
import { fetchPicture } from './picture.ts';
import { askState } from './prompt-state.ts';
import type { ComfyServer } from './server.ts';

/** How often a picture that lies ready is fetched before it counts as lost. */
const FETCHES = 3;

export interface AttemptOrder {
  server: ComfyServer;
  graph: Graph;
  taskId: string;
  /** The prompt is there already: it is followed, and not submitted again. */
  submitted: boolean;
  times: FollowTimes;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  onDevelopment(development: Development): void;
}

/**
 * Draws one graph on one server. Rejects with `AttemptLost` where that server cannot bring it to an end, with
 * `DrawingError` where no server could, with the signal's reason where that aborts. A prompt that nobody will follow
 * any more is cancelled; after `closing` it is left to whoever draws the task next.
 */
export async function attempt(order: AttemptOrder): Promise<Picture> {
  const { server, graph, clock, times } = order;
  const ended = new AbortController();
  const signal = AbortSignal.any([order.signal, ended.signal]);
  const nap = createNap(clock);
  const percent = createPercent(graph);
  const developments = createDevelopments({ show: order.onDevelopment, clock, signal });
  // Versions before v0.25.0 may choose an id of their own.
  let promptId = order.taskId;
  let feed: Feed | undefined;

  function onEvent(event: ComfyEvent): void {
    if (event.data.prompt_id !== promptId) return;
    developments.reach(percent.see(event));
    // Success is told before it can be asked for; `executing` without a node comes after.
    if (event.type.startsWith('execution_') || (event.type === 'executing' && !event.data.node)) nap.wake();
  }

  try {
    if (!order.submitted) {
      feed = await openFeed({ connect: server.client.socket, onEvent, onPreview: developments.see, signal });
      promptId = await submit(order, feed.clientId);
    }
    const onRunning = () => developments.reach(1);
    const images = await follow({ server, promptId, graph, times, nap, clock, signal, onRunning });
    return await fetched(order, images, () => nap.sleep(times.pollMs, signal));
  } catch (error) {
    const kept = order.signal.aborted && order.signal.reason === 'closing';
    if (!kept && !(error instanceof DrawingError)) await abandon(order, promptId);
    throw error;
  } finally {
    feed?.close();
    ended.abort();
  }
}

/** Hands the graph in; returns the id by which the server knows it. */
async function submit(order: AttemptOrder, clientId: string | undefined): Promise<string> {
  const { server, graph, taskId, signal } = order;
  let answer: Submitted;
  try {
    answer = await server.client.submit({ graph, promptId: taskId, clientId }, signal);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    // Without an answer it is unclear whether the prompt has arrived; the server itself can tell.
    const state = await askState(server.client, server.features, taskId, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (state && state.at !== 'unknown') return taskId;
    throw new AttemptLost('the prompt could not be submitted', { cause: error });
  }
  const problems = explainNodeErrors(graph, answer.nodeErrors);
  if (!answer.accepted) {
    const reasons = problems.length > 0 ? problems : [answer.reason];
    throw new DrawingError(`The graph was refused. ${reasons.join('. ')}`);
  }
  if (problems.length > 0) {
    // The rest of the graph was queued all the same.
    await abandon(order, answer.promptId);
    throw new DrawingError(`Part of the graph cannot run. ${problems.join('. ')}`);
  }
  return answer.promptId;
}

async function fetched(
  { server, signal }: AttemptOrder,
  images: readonly ImageFile[],
  pause: () => Promise<void>,
): Promise<Picture> {
  for (let time = 1; ; time++) {
    try {
      return await fetchPicture(server.client, images, signal);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (time >= FETCHES) throw new AttemptLost('the picture cannot be fetched', { cause: error });
      await pause();
    }
  }
}

/** Best effort: a server that cannot be told has most likely lost the prompt itself. */
async function abandon({ server, taskId, log }: AttemptOrder, promptId: string): Promise<void> {
  await cancelPrompt(server, promptId).catch((error: unknown) =>
    log.debug({ server: server.name, taskId, err: error }, 'a prompt could not be cancelled'),
  );
}
