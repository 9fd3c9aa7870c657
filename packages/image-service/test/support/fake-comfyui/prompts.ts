import { randomInt } from 'node:crypto';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Graph } from '@darkroom/image-api';
import sharp from 'sharp';
import { previewFrame, savedPng, textFrame } from './image.ts';
import type { createSockets } from './sockets.ts';
import { above, pathOf } from './validation.ts';

export interface Prompt {
  number: number;
  id: string;
  graph: Graph;
  extraData: { client_id?: string; preview_method?: string; [key: string]: unknown };
  outputs: string[];
}

type Message = [event: string, data: object];
export interface Entry {
  prompt: unknown[];
  outputs: Record<string, { images: { filename: string; subfolder: string; type: string }[] }>;
  meta: object;
  status: { status_str: 'success' | 'error'; completed: boolean; messages: Message[] };
}

/** This class of node fails when it is run. */
export const FAILING_NODE = 'FailingNode';
/** What Python throws in a node, as `execution_error` tells it. */
interface Failure {
  exception_type: string;
  exception_message: string;
}
const FAILURE: Failure = {
  exception_type: 'RuntimeError',
  exception_message: 'mat1 and mat2 shapes cannot be multiplied\n  File "/home/gpu/ComfyUI/nodes.py", line 7',
};
/** As `execution.py` puts it where the GPU's memory is full: Comfy-Org/ComfyUI#4852, with its tips #9733. */
export const OUT_OF_MEMORY: Failure = {
  exception_type: 'torch.OutOfMemoryError',
  exception_message:
    'Allocation on device \nThis error means you ran out of memory on your GPU.\n\nTIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.',
};
/** As every node says it from the moment at which the program has lost its GPU: Comfy-Org/ComfyUI#14756. */
export const GPU_LOST: Failure = {
  exception_type: 'torch.AcceleratorError',
  exception_message:
    'CUDA error: unspecified launch failure\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n',
};

class Interrupted extends Error {}

/** The queue of prompts, run one after another, and what is remembered of those that have ended. */
export function createPrompts({
  sockets,
  historyLagMs,
}: {
  sockets: ReturnType<typeof createSockets>;
  /** Between the word of a success and the moment at which it can be asked for. */
  historyLagMs: number;
}) {
  const pending: Prompt[] = [];
  const history = new Map<string, Entry>();
  const files = new Map<string, Buffer>();
  let running: Prompt | undefined;
  let interrupted = false;
  let held: true | string | undefined;
  let failure: Failure | undefined;
  let worker: 'alive' | 'dead' = 'alive';
  let life = 0;

  async function step(prompt: Prompt, node: string, at: number): Promise<void> {
    await turn();
    const holds = () => held === true || held === prompt.graph[node]?.class_type;
    while (at === life && (worker === 'dead' || (holds() && !interrupted))) await delay(2);
    if (at !== life) throw new Error('the server was restarted');
    if (interrupted && running === prompt) throw new Interrupted();
  }

  async function runNode(prompt: Prompt, id: string, at: number): Promise<void> {
    const { graph, extraData } = prompt;
    const tell = (type: string, data: object) =>
      sockets.tell(extraData.client_id, type, { ...data, prompt_id: prompt.id });
    const node = graph[id];
    tell('executing', { node: id, display_node: id });
    if (failure || node?.class_type === FAILING_NODE) throw new Error('the node fails');
    const max = typeof node?.inputs.steps === 'number' ? node.inputs.steps : 1;
    for (let value = 1; value <= max; value++) {
      tell('progress', { value, max, node: id });
      tell('progress_state', {
        nodes: { [id]: { value, max, state: value < max ? 'running' : 'finished', node_id: id } },
      });
      if (max > 1 && extraData.preview_method !== undefined) {
        const meta = { node_id: id, prompt_id: prompt.id };
        await sockets.show(extraData.client_id, (supported) => previewFrame(supported ? meta : undefined));
        await sockets.show(extraData.client_id, async () => textFrame(id, 'a note for the editor'));
      }
      await step(prompt, id, at);
    }
  }

  async function save(prompt: Prompt, output: string): Promise<Entry['outputs'][string]> {
    const node = prompt.graph[output];
    const type = node?.class_type === 'PreviewImage' ? 'temp' : 'output';
    const prefix = node?.inputs.filename_prefix;
    // A preview gets a name that nobody chooses.
    const name =
      type === 'temp'
        ? `ComfyUI_temp_${randomInt(2 ** 32)}`
        : typeof prefix === 'string'
          ? prefix
          : 'ComfyUI';
    const path = `${name}_00001_.png`;
    files.set(`${type}/${path}`, await savedPng(await sizeOf(prompt.graph), prompt.graph));
    const slash = path.lastIndexOf('/');
    return {
      images: [{ filename: path.slice(slash + 1), subfolder: path.slice(0, Math.max(0, slash)), type }],
    };
  }

  /** Of the last node that says one, or of the picture that is loaded. */
  async function sizeOf(graph: Graph): Promise<{ width: number; height: number }> {
    const nodes = Object.values(graph);
    const { width, height } =
      nodes.filter(({ inputs }) => typeof inputs.width === 'number').at(-1)?.inputs ?? {};
    if (width !== undefined) return { width: Number(width), height: Number(height) };
    const loaded = nodes.find(({ class_type }) => class_type === 'LoadImage');
    return loaded ? sharp(files.get(pathOf(loaded.inputs.image))).metadata() : { width: 64, height: 64 };
  }

  async function run(prompt: Prompt, at: number): Promise<void> {
    const { id, graph, extraData } = prompt;
    const messages: Message[] = [];
    const say = (event: string, data: object = {}) => {
      const said = { prompt_id: id, timestamp: Date.now(), ...data };
      messages.push([event, said]);
      sockets.tell(extraData.client_id, event, said);
    };
    const outputs: Entry['outputs'] = {};
    let current = '';
    say('execution_start');
    say('execution_cached', { nodes: [] });
    try {
      for (const output of prompt.outputs) {
        for (const node of above(graph, output)) {
          current = node;
          await runNode(prompt, node, at);
        }
        outputs[output] = await save(prompt, output);
      }
      say('execution_success');
    } catch (error) {
      if (at !== life) return;
      if (error instanceof Interrupted) say('execution_interrupted', { node_id: current });
      else {
        const node_type = graph[current]?.class_type;
        say('execution_error', { node_id: current, node_type, ...(failure ?? FAILURE) });
      }
    }
    if (historyLagMs > 0) await delay(historyLagMs);
    if (at !== life) return;
    const success = messages.at(-1)?.[0] === 'execution_success';
    history.set(id, {
      prompt: [prompt.number, id, graph, extraData, prompt.outputs],
      outputs,
      meta: {},
      status: { status_str: success ? 'success' : 'error', completed: success, messages },
    });
    sockets.tell(extraData.client_id, 'executing', { node: null, prompt_id: id });
  }

  const take = () => (worker === 'alive' ? pending.shift() : undefined);

  async function work(): Promise<void> {
    if (running) return;
    const at = life;
    for (let next = take(); next && at === life; next = take()) {
      running = next;
      interrupted = false;
      await run(next, at);
      if (at === life) running = undefined;
    }
  }

  return {
    history,
    files,
    get running() {
      return running;
    },
    /** As a heap lies in memory: not in the order in which they run. */
    get pending() {
      return pending.toReversed();
    },

    add(prompt: Prompt): void {
      pending.push(prompt);
      void work();
    },
    remove(id: string): boolean {
      const place = pending.findIndex((prompt) => prompt.id === id);
      if (place >= 0) pending.splice(place, 1);
      return place >= 0;
    },
    interrupt(): void {
      interrupted = true;
    },
    /** Lets no prompt get on, until it is released; or get past the first step of a node of this class. */
    hold(nodeClass: true | string = true): void {
      held = nodeClass;
    },
    release(): void {
      held = undefined;
    },
    /**
     * Ends the thread that runs prompts, as an exception does that it does not catch: what runs then stays for ever what
     * runs, and all others wait (Comfy-Org/ComfyUI#16312).
     */
    killWorker(): void {
      worker = 'dead';
    },
    /** Lets every node fail from now on, until it is called with nothing. */
    fail(as?: Failure): void {
      failure = as;
    },
    /** All is gone but the files that are saved for good. */
    forgetAll(): void {
      for (const path of files.keys()) if (path.startsWith('temp/')) files.delete(path);
      life += 1;
      worker = 'alive';
      pending.length = 0;
      running = undefined;
      history.clear();
    },
  };
}
