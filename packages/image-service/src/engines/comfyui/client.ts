import type { Graph } from '@darkroom/image-api';
import { FormData } from 'undici';
import type { Address } from '../address.ts';
import { CallFailed } from '../call-failed.ts';
import { createHttpCaller, jsonOf } from '../http-caller.ts';
import { LOADERS } from './models.ts';
import * as responses from './responses.ts';
import { openSocket } from './socket.ts';

/** The response to a submitted graph. An accepted one may have node errors as well: then only the rest of it runs. */
export type SubmitResult =
  | { accepted: true; promptId: string; nodeErrors: responses.NodeErrors }
  | { accepted: false; reason: string; nodeErrors: responses.NodeErrors };

/** A picture may take so many times as long as another call on its way to the server, or back. */
const PICTURE_PATIENCE = 6;

export type ComfyClient = ReturnType<typeof createComfyClient>;

/** The calls of ComfyUI's HTTP interface that are used here. Each has a timeout and rejects with `CallFailed`. */
export function createComfyClient({ address, timeoutMs = 10_000 }: { address: Address; timeoutMs?: number }) {
  const { call, read, readIfThere, post, close } = createHttpCaller({ address, timeoutMs });
  const id = encodeURIComponent;

  return {
    systemStats: () => read(responses.systemStats, { path: '/system_stats', timeoutMs: timeoutMs / 2 }),

    /** How many prompts wait or run, whoever sent them. */
    queueLength: async (signal?: AbortSignal): Promise<number> =>
      (await read(responses.queueLength, { path: '/prompt', signal, timeoutMs: timeoutMs / 2 })).exec_info
        .queue_remaining,

    /**
     * Names of the models in a folder such as `checkpoints`; undefined where the server's version has no such folder.
     * Of `LOADERS`: what the node takes, which is nothing where there is no such node.
     */
    async models(folder: string): Promise<string[] | undefined> {
      const loader = LOADERS[folder];
      if (loader) {
        const { node, input } = loader;
        const found = await read(responses.objectInfo, { path: `/object_info/${node}` });
        return found[node]?.input.required[input] ?? [];
      }
      const response = await call({ path: `/models/${id(folder)}` });
      if (response.status === 404) return undefined;
      const names = responses.modelNames.safeParse(jsonOf(response));
      if (names.success) return names.data;
      throw new CallFailed(`GET /models/${folder} answered ${response.status} and no list`, {
        status: response.status,
      });
    },

    /**
     * Puts a PNG into the folder `temp`, which ComfyUI empties whenever it starts; returns its name as `LoadImage`
     * takes it. The same bytes under the same name are one file; other bytes get another name.
     */
    async upload(name: string, png: Uint8Array, signal: AbortSignal): Promise<string> {
      const body = new FormData();
      body.set('image', new Blob([png], { type: 'image/png' }), name);
      body.set('type', 'temp');
      const path = '/upload/image';
      const file = await read(responses.uploaded, {
        method: 'POST',
        path,
        body,
        signal,
        timeoutMs: PICTURE_PATIENCE * timeoutMs,
      });
      return `${file.subfolder ? `${file.subfolder}/` : ''}${file.name} [${file.type}]`;
    },

    /** Queues a graph under the id `promptId`, with previews. */
    async submit(
      { graph, promptId, clientId }: { graph: Graph; promptId: string; clientId: string | undefined },
      signal: AbortSignal,
    ): Promise<SubmitResult> {
      const body = {
        prompt: graph,
        prompt_id: promptId,
        extra_data: { preview_method: 'auto', ...responses.OURS },
        ...(clientId !== undefined && { client_id: clientId }),
      };
      const response = await call({ method: 'POST', path: '/prompt', body, signal });
      const json = jsonOf(response);
      const accepted = responses.promptAccepted.safeParse(json);
      if (response.status === 200 && accepted.success) {
        const { prompt_id, node_errors } = accepted.data;
        return { accepted: true, promptId: prompt_id, nodeErrors: node_errors };
      }
      const refused = responses.promptRefused.safeParse(json);
      if (response.status !== 400 || !refused.success)
        throw new CallFailed(`POST /prompt answered ${response.status}`, { status: response.status });
      return { accepted: false, reason: refused.data.error, nodeErrors: refused.data.node_errors };
    },

    /** A job by its id; undefined where the server knows none. */
    job: (promptId: string, signal?: AbortSignal) =>
      readIfThere(responses.job, { path: `/api/jobs/${id(promptId)}`, signal }),

    /** The history entry of a finished prompt; undefined until it is finished, and where there is no such prompt. */
    history: async (promptId: string, signal?: AbortSignal) =>
      (await read(responses.history, { path: `/history/${id(promptId)}`, signal }))[promptId],

    /** Ids of the running and the pending prompts, and which of the running ones are not ours. */
    async queue(signal?: AbortSignal): Promise<{ running: string[]; foreign: string[]; pending: string[] }> {
      const { queue_running, queue_pending } = await read(responses.queue, { path: '/queue', signal });
      const idOf = ({ id }: responses.QueuedPrompt) => id;
      return {
        running: queue_running.map(idOf),
        foreign: queue_running.filter(({ isOurs }) => !isOurs).map(idOf),
        pending: queue_pending.map(idOf),
      };
    },

    cancelJob: (promptId: string, signal?: AbortSignal) =>
      post(`/api/jobs/${id(promptId)}/cancel`, {}, { signal }),
    dequeue: (promptId: string, signal?: AbortSignal) => post('/queue', { delete: [promptId] }, { signal }),
    interrupt: (promptId: string, signal?: AbortSignal) =>
      post('/interrupt', { prompt_id: promptId }, { signal }),
    deleteHistory: (promptId: string) => post('/history', { delete: [promptId] }),

    /** The bytes of an image file; undefined where the file is gone. */
    async view(file: responses.ImageFile, signal?: AbortSignal): Promise<Uint8Array | undefined> {
      const query = new URLSearchParams({
        filename: file.filename,
        subfolder: file.subfolder ?? '',
        type: file.type ?? 'output',
      });
      const { status, bytes } = await call({
        path: `/view?${query}`,
        signal,
        timeoutMs: PICTURE_PATIENCE * timeoutMs,
      });
      if (status === 404) return undefined;
      if (status !== 200) throw new CallFailed(`GET /view answered ${status}`, { status });
      return bytes;
    },

    socket: (clientId: string) => openSocket(address, clientId),

    close,
  };
}
