import {
  type Abilities,
  ALL_ABILITIES,
  type Drawing,
  type DrawnPicture,
  type DrawOptions,
  type Engine,
  type Operations,
} from '../engine.ts';
import { readInputs } from '../inputs.ts';
import { drawOnServers } from '../servers/attempts.ts';
import { POLL_TIMES } from '../servers/patience.ts';
import { createServerPool } from '../servers/pool.ts';
import { createServerEngine, type ServerEngineOptions } from '../servers/server-engine.ts';
import { editorOf } from './editors.ts';
import { modelsOfWorkflow, planGraph } from './graph-plan.ts';
import { SIZE_STEP } from './graphs/size.ts';
import { BACKGROUND_REMOVERS, CHECKPOINTS, UPSCALERS } from './models.ts';
import { NODE_CLASSES } from './node-classes.ts';
import { fetchPromptState } from './prompt-state.ts';
import { findRejection } from './rejection.ts';
import { runPrompt } from './run-prompt.ts';
import { type ComfyServer, createComfyServer } from './server.ts';
import { type UploadedInputs, uploadInputs } from './uploads.ts';
import { DEFAULT_MODELS, type Models } from './workflow-models.ts';

export interface ComfyOptions extends ServerEngineOptions {
  /** `DEFAULT_MODELS` unless given. */
  models?: Models | undefined;
  /** Node classes that a caller's graph may use; `NODE_CLASSES` unless given. */
  allowedNodes?: readonly string[] | undefined;
}

/** At once: one that runs, and one that is queued behind it, so that the GPU need not wait. */
const PROMPTS_PER_SERVER = 2;
const ABILITIES: Abilities = { ...ALL_ABILITIES, sizeStep: SIZE_STEP };

/**
 * Draws on one or several ComfyUI servers. The task's id is the prompt's id on the server, so that a drawing which
 * another process began before it died is found there and not drawn twice.
 */
export function createComfyEngine({
  servers: urls,
  clock,
  log,
  models = DEFAULT_MODELS,
  allowedNodes = NODE_CLASSES,
  pollMs = POLL_TIMES.pollMs,
  silenceMs = POLL_TIMES.silenceMs,
  timeoutMs,
}: ComfyOptions): Engine {
  const servers = urls.map((url) => createComfyServer({ url, clock, log, timeoutMs }));
  const pool = createServerPool({ servers, hasRoom: ({ own }) => own < PROMPTS_PER_SERVER, clock });
  const rules = {
    allowedNodes: new Set(allowedNodes),
    allowedModels: models.allowed && new Set(models.allowed),
  };
  const surroundings = { times: { pollMs, silenceMs }, clock, log };

  /** The server on which an earlier process submitted the task. */
  async function findSubmitted(taskId: string, signal: AbortSignal): Promise<ComfyServer | undefined> {
    const healthy = await pool.healthyServers(signal);
    const states = await Promise.all(
      healthy.map(async (server): Promise<string> => {
        const unknown = () => ({ status: 'unknown' });
        return (await fetchPromptState(server, taskId, signal).catch(unknown)).status;
      }),
    );
    signal.throwIfAborted();
    for (const [index, server] of healthy.entries())
      if (states[index] === 'interrupted') await deleteHistory(server, taskId);
    return healthy.find((_, index) => states[index] !== 'unknown' && states[index] !== 'interrupted');
  }

  /** Deletes the history of an earlier attempt, which would be taken for the end of the next one. */
  const deleteHistory = (server: ComfyServer, taskId: string): Promise<void> =>
    server.client.deleteHistory(taskId).catch(() => undefined);

  async function draw(drawing: Drawing, { signal, ...options }: DrawOptions): Promise<DrawnPicture> {
    const { taskId } = drawing;
    const plan = planGraph(drawing, models, rules);
    const found = await findSubmitted(taskId, signal);
    if (found)
      log.info({ server: found.name, taskId }, 'a drawing of an earlier process was found on a server');
    const inputs = await readInputs(drawing, options.readInput);
    const { onProgress, onEnded } = options;
    const drawn = await drawOnServers(
      { pool, required: plan.required, first: found, taskId, signal, onProgress, clock, log },
      async ({ server, models: names }, attempt) => {
        const submitted = found !== undefined && attempt === 1;
        if (attempt > 1) await deleteHistory(server, taskId);
        const uploaded: UploadedInputs =
          inputs && !submitted ? await uploadInputs(server, inputs, signal) : { pictures: [] };
        const graph = plan.graph(names, uploaded);
        // The last attempt does not: others may draw for as long on every server.
        const mayMove = async () => attempt === 1 && pool.hasOther(server, plan.required, signal);
        const prompt = { server, taskId, graph, uploaded, submitted, mayMove };
        return runPrompt(prompt, { signal, onProgress, onEnded }, surroundings);
      },
    );
    return inputs ? inputs.finish(drawn) : drawn;
  }

  const { engine, closing } = createServerEngine({ servers, pool, draw });

  return {
    ...engine,

    name: 'comfyui',

    slots: servers.length * PROMPTS_PER_SERVER,

    abilities: (workflow) =>
      modelsOfWorkflow({ workflow, model: undefined }, models) ? ABILITIES : undefined,

    rejection: (request) => findRejection(request, { models, rules, servers: pool, signal: closing }),

    async models(workflow) {
      const [first] = modelsOfWorkflow({ workflow, model: undefined }, models) ?? [];
      if (first?.folder !== CHECKPOINTS) return [];
      const found = await pool.models(CHECKPOINTS, closing);
      return found.filter((name) => rules.allowedModels?.has(name) ?? true);
    },

    async operations(workflow, model): Promise<Operations> {
      if (!modelsOfWorkflow({ workflow, model }, models)) return {};
      const editor = editorOf({ workflow, model }, models);
      const [upscalers, removers] = await Promise.all(
        [UPSCALERS, BACKGROUND_REMOVERS].map((folder) => pool.models(folder, closing)),
      );
      return {
        ...(editor
          ? { edit: { images: editor.images, mask: false, strength: false } }
          : { edit: { images: 1, mask: true, strength: true }, expand: {} }),
        ...(upscalers?.length && { upscale: {} }),
        ...(removers?.length && { remove_background: {} }),
      };
    },
  };
}
