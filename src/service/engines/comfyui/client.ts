import type { Graph } from '../../../contract/graph.ts';
import type { Address } from './address.ts';
import * as answers from './answers.ts';
import { createCaller, jsonOf } from './call.ts';
import { CallFailed } from './failure.ts';
import { type ComfySocket, openSocket } from './socket.ts';

/** What became of handing in a graph. Errors of nodes may come with an accepted one too: the rest of it runs. */
export type Submitted =
  | { accepted: true; promptId: string; nodeErrors: answers.NodeErrors }
  | { accepted: false; reason: string; nodeErrors: answers.NodeErrors };

const VIEW_TIMEOUT_MS = 60_000;

export type ComfyClient = ReturnType<typeof createComfyClient>;

/** The calls of ComfyUI's HTTP interface that are needed here. Each rejects with `CallFailed`, none lasts for ever. */
export function createComfyClient({ address, timeoutMs = 10_000 }: { address: Address; timeoutMs?: number }) {
  const { call, read, close } = createCaller({ address, timeoutMs });
  const id = encodeURIComponent;

  /** POST /queue, /interrupt and /history answer 200 with an empty body. */
  async function tell(path: string, body: unknown, signal?: AbortSignal): Promise<void> {
    const { status } = await call({ method: 'POST', path, body, signal });
    if (status !== 200) throw new CallFailed(`POST ${path} answered ${status}`, { status });
  }

  return {
    systemStats: () => read(answers.systemStats, { path: '/system_stats', timeoutMs: timeoutMs / 2 }),

    /** How many prompts wait or run, whoever sent them. */
    queueLength: async (signal?: AbortSignal): Promise<number> =>
      (await read(answers.queueLength, { path: '/prompt', signal, timeoutMs: timeoutMs / 2 })).exec_info
        .queue_remaining,

    /** Names of the models in a folder such as `checkpoints`; undefined where this version has no such folder. */
    async models(folder: string, signal?: AbortSignal): Promise<string[] | undefined> {
      const answer = await call({ path: `/models/${id(folder)}`, signal });
      if (answer.status === 404) return undefined;
      const names = answers.modelNames.safeParse(jsonOf(answer));
      if (names.success) return names.data;
      throw new CallFailed(`GET /models/${folder} answered ${answer.status} and no list`, {
        status: answer.status,
      });
    },

    /** Queues a graph under an id of ours, with previews. */
    async submit(
      { graph, promptId, clientId }: { graph: Graph; promptId: string; clientId: string | undefined },
      signal: AbortSignal,
    ): Promise<Submitted> {
      const body = {
        prompt: graph,
        prompt_id: promptId,
        extra_data: { preview_method: 'auto' },
        ...(clientId !== undefined && { client_id: clientId }),
      };
      const answer = await call({ method: 'POST', path: '/prompt', body, signal });
      const json = jsonOf(answer);
      const accepted = answers.promptAccepted.safeParse(json);
      if (answer.status === 200 && accepted.success) {
        const { prompt_id, node_errors } = accepted.data;
        return { accepted: true, promptId: prompt_id, nodeErrors: node_errors };
      }
      const refused = answers.promptRefused.safeParse(json);
      if (answer.status !== 400 || !refused.success)
        throw new CallFailed(`POST /prompt answered ${answer.status}`, { status: answer.status });
      return { accepted: false, reason: refused.data.error, nodeErrors: refused.data.node_errors };
    },

    /** A job by its id; undefined where the server knows none. */
    async job(promptId: string, signal?: AbortSignal) {
      try {
        return await read(answers.job, { path: `/api/jobs/${id(promptId)}`, signal });
      } catch (error) {
        if (error instanceof CallFailed && error.status === 404) return undefined;
        throw error;
      }
    },

    /** What is recorded of a finished prompt; undefined until then, and where there is no such prompt. */
    history: async (promptId: string, signal?: AbortSignal) =>
      (await read(answers.history, { path: `/history/${id(promptId)}`, signal }))[promptId],

    /** Ids of the prompts that run and that wait. */
    async queue(signal?: AbortSignal): Promise<{ running: string[]; pending: string[] }> {
      const { queue_running, queue_pending } = await read(answers.queue, { path: '/queue', signal });
      return {
        running: queue_running.map(([, promptId]) => promptId),
        pending: queue_pending.map(([, promptId]) => promptId),
      };
    },

    cancelJob: (promptId: string, signal?: AbortSignal) =>
      tell(`/api/jobs/${id(promptId)}/cancel`, {}, signal),
    dequeue: (promptId: string, signal?: AbortSignal) => tell('/queue', { delete: [promptId] }, signal),
    interrupt: (promptId: string, signal?: AbortSignal) =>
      tell('/interrupt', { prompt_id: promptId }, signal),
    /** Takes a finished prompt out of the history. */
    forget: (promptId: string) => tell('/history', { delete: [promptId] }),

    /** The bytes of a picture; undefined where its file is gone. */
    async view(file: answers.ImageFile, signal?: AbortSignal): Promise<Uint8Array | undefined> {
      const query = new URLSearchParams({
        filename: file.filename,
        subfolder: file.subfolder ?? '',
        type: file.type ?? 'output',
      });
      const { status, bytes } = await call({ path: `/view?${query}`, signal, timeoutMs: VIEW_TIMEOUT_MS });
      if (status === 404) return undefined;
      if (status !== 200) throw new CallFailed(`GET /view answered ${status}`, { status });
      return bytes;
    },

    socket: (clientId: string): ComfySocket => openSocket(address, clientId),

    close,
  };
}
