import type { Log } from '@darkroom/process';
import { createWakeableSleep } from '@darkroom/time';
import { CallFailed } from '../call-failed.ts';
import { cleanPicture, UnreadablePicture } from '../clean-picture.ts';
import { DrawingError, type DrawnPicture, type DrawOptions, GraphError, isLeftRunning } from '../engine.ts';
import { createProgressThrottle } from '../progress-throttle.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import { cancelPrompt } from './cancel.ts';
import type { ComfyClient, SubmitResult } from './client.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import type { ComfyEvent } from './events.ts';
import { explainNodeErrors } from './explain.ts';
import { createGraphProgress } from './graph-progress.ts';
import { type Following, type PromptOnServer, pollPrompt } from './poll-prompt.ts';
import { fetchPromptState } from './prompt-state.ts';
import type { ImageFile } from './responses.ts';
import type { ComfyServer } from './server.ts';
import { INPUT_GONE, readsOneOf } from './uploads.ts';

/** How often the picture of a finished prompt is fetched before it counts as lost. */
const FETCH_ATTEMPTS = 3;

type Asking = Pick<DrawOptions, 'signal' | 'onProgress' | 'onEnded'>;

interface Surroundings extends Following {
  log: Log;
}

/**
 * Runs one graph on one server: submits it, waits for its end and fetches the picture. Rejects with `DrawingLost`
 * where the server cannot finish it, with `DrawingError` where no server could, and with the signal's reason where
 * that aborts. A prompt that is given up is cancelled on the server, unless another run will look for it.
 */
export async function runPrompt(
  prompt: PromptOnServer,
  { signal: asked, onProgress, onEnded }: Asking,
  surroundings: Surroundings,
): Promise<DrawnPicture> {
  const { server, graph, taskId, submitted } = prompt;
  const { clock, times, log } = surroundings;
  const ended = new AbortController();
  const signal = AbortSignal.any([asked, ended.signal]);
  const poll = createWakeableSleep(clock);
  const graphProgress = createGraphProgress(graph);
  const progress = createProgressThrottle({ onProgress, clock, signal });
  // Versions before v0.25.0 may choose an id of their own.
  let promptId = taskId;
  let events: EventStream | undefined;
  let isRunning = false;
  // It holds the words, and the names of the pictures that it began with, until the server is started anew.
  onEnded(() => server.client.deleteHistory(promptId));

  function onEvent(event: ComfyEvent): void {
    if (event.data.prompt_id !== promptId) return;
    progress.percent(graphProgress.update(event));
    isRunning = !isEnd(event);
    if (!isRunning) poll.wake();
  }

  /** Previews of a prompt without a client id are sent to everybody; a server runs one prompt at a time. */
  function onPreview(picture: Uint8Array): void {
    if (isRunning) progress.preview(picture);
  }

  try {
    if (!submitted) {
      const connect = server.client.socket;
      events = await openEventStream({ connect, onEvent, onPreview, signal });
      promptId = await submit(prompt, events.clientId, { signal: asked, log });
    }
    const onRunning = () => progress.percent(1);
    const images = await pollPrompt(prompt, { promptId, poll, signal, onRunning }, surroundings);
    return await fetchWithRetry(server, images, () => poll.sleep(times.pollMs, signal), asked);
  } catch (error) {
    if (!isLeftRunning(asked) && !(error instanceof DrawingError)) await tryToCancel(prompt, promptId, log);
    throw error;
  } finally {
    events?.close();
    ended.abort();
  }
}

/** The event of success may come before the history has the entry; `executing` without a node comes after it. */
const isEnd = ({ type, data }: ComfyEvent): boolean =>
  type === 'executing' ? !data.node : /^execution_(success|error|interrupted)$/.test(type);

/** Submits the graph; returns the server's id of the prompt. */
async function submit(
  prompt: PromptOnServer,
  clientId: string | undefined,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<string> {
  const { server, graph, uploaded, taskId } = prompt;
  let result: SubmitResult;
  server.noteSubmitted(taskId);
  try {
    result = await server.client.submit({ graph, promptId: taskId, clientId }, signal);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    // Without an answer it is unclear whether the prompt has arrived: ask the server.
    const state = await fetchPromptState(server, taskId, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (state && state.status !== 'unknown') return taskId;
    throw new DrawingLost('the prompt could not be submitted', { cause: error });
  }
  const problems = explainNodeErrors(graph, result.nodeErrors);
  if (!result.accepted) {
    if (Object.keys(result.nodeErrors).some((id) => readsOneOf(uploaded, graph, id)))
      throw new DrawingLost(INPUT_GONE);
    const reasons = problems.length > 0 ? problems : [result.reason];
    throw new GraphError(`The graph was refused. ${reasons.join('. ')}`);
  }
  if (problems.length > 0) {
    // The server has queued the rest of the graph.
    await tryToCancel(prompt, result.promptId, log);
    throw new GraphError(`Part of the graph cannot run. ${problems.join('. ')}`);
  }
  return result.promptId;
}

async function fetchWithRetry(
  { client }: ComfyServer,
  images: readonly ImageFile[],
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchPicture(client, images, signal);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (attempt >= FETCH_ATTEMPTS) throw new DrawingLost('the picture cannot be fetched', { cause: error });
      await pause();
    }
  }
}

async function fetchPicture(
  client: ComfyClient,
  [file]: readonly ImageFile[],
  signal: AbortSignal,
): Promise<DrawnPicture> {
  if (!file) throw new GraphError('The graph ran to the end but saved no picture.');
  const bytes = await client.view(file, signal);
  if (!bytes) throw new DrawingLost('the picture is gone from the server');
  try {
    return await cleanPicture(bytes);
  } catch (error) {
    if (error instanceof DrawingError) throw new GraphError(error.message, { cause: error });
    if (!(error instanceof UnreadablePicture)) throw error;
    if (error.damaged) throw new DrawingLost(error.message, { cause: error });
    throw new GraphError('What the graph saved is not a picture.', { cause: error });
  }
}

/** Best effort: a server that cannot be reached has most likely lost the prompt as well. */
async function tryToCancel({ server, taskId }: PromptOnServer, promptId: string, log: Log): Promise<void> {
  try {
    await cancelPrompt(server, promptId);
    server.noteCancelled(promptId);
  } catch (error) {
    log.debug({ server: server.name, taskId, err: error }, 'a prompt could not be cancelled');
  }
}
