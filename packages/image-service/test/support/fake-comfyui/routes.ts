import { randomUUID } from 'node:crypto';
import { NODE_CLASSES } from '../../../src/engines/comfyui/node-classes.ts';
import { type createPrompts, type Entry, FAILING_NODE, type Prompt } from './prompts.ts';
import { GGUF_LOADER, modelsOf, validate } from './validation.ts';

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  bytes: Buffer;
  /** As text. */
  body: string;
}

interface FakeAnswer {
  status: number;
  type?: string;
  body?: string | Buffer;
}

const json = (value: unknown, status = 200): FakeAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
const text = (body: string, status: number): FakeAnswer => ({ status, type: 'text/plain', body });
const NOTHING: FakeAnswer = { status: 200 };
/** Of those that callers' graphs may not use, the ones that our own graphs do. */
const INPUT_CLASSES = [
  'LoadImage',
  'LoadImageMask',
  'UpscaleModelLoader',
  'ImageUpscaleWithModel',
  'JoinImageWithAlpha',
  'ReferenceLatent',
  'CFGNorm',
  'TextEncodeQwenImageEditPlus',
];
const CLASSES = [...NODE_CLASSES, ...INPUT_CLASSES, FAILING_NODE];
/** That versions of before 2026 do not know. */
const BACKGROUND_CLASSES = ['LoadBackgroundRemovalModel', 'RemoveBackground'];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What a ComfyUI answers. */
export function createRoutes({
  prompts,
  models,
  version,
  ownIds,
  onAccepted,
}: {
  prompts: ReturnType<typeof createPrompts>;
  models: Readonly<Record<string, readonly string[]>>;
  version(): string;
  ownIds: boolean;
  onAccepted(prompt: Prompt): void;
}) {
  let number = 0;

  function submit({ prompt, prompt_id, client_id, extra_data }: Record<string, unknown>): FakeAnswer {
    const refused = (type: string, message: string) =>
      json({ error: { type, message, details: message, extra_info: {} }, node_errors: {} }, 400);
    if (!prompt) return refused('no_prompt', 'No prompt provided');
    if (since(25, version()) && prompt_id !== undefined && !UUID.test(`${prompt_id}`))
      return refused('invalid_prompt_id', 'prompt_id must be a valid UUID');
    // Graphs in tests come from the engine, which has checked them.
    const graph = prompt as Prompt['graph'];
    const classes = new Set([
      ...CLASSES,
      ...(models.background_removal ? BACKGROUND_CLASSES : []),
      ...(models.unet_gguf ? [GGUF_LOADER] : []),
    ]);
    const validation = validate(graph, { classes, models, files: prompts.files });
    if ('error' in validation)
      return json({ error: validation.error, node_errors: validation.nodeErrors }, 400);
    const accepted = {
      number: number++,
      id: ownIds || prompt_id === undefined ? randomUUID() : `${prompt_id}`,
      graph,
      extraData: { ...(extra_data as object), ...(client_id !== undefined && { client_id: `${client_id}` }) },
      outputs: validation.outputs,
    };
    onAccepted(accepted);
    prompts.add(accepted);
    return json({ prompt_id: accepted.id, number: accepted.number, node_errors: validation.nodeErrors });
  }

  function cancel(id: string): boolean {
    if (prompts.running?.id !== id) return prompts.remove(id);
    prompts.interrupt();
    return true;
  }

  function jobOf(id: string): FakeAnswer {
    const ended = prompts.history.get(id);
    if (ended) {
      return json({ id, status: wordFor(ended), outputs: ended.outputs, execution_status: ended.status });
    }
    if (prompts.running?.id === id) return json({ id, status: 'in_progress', outputs_count: 0 });
    if (prompts.pending.some((prompt) => prompt.id === id)) return json({ id, status: 'pending' });
    return json({ error: 'Job not found' }, 404);
  }

  function view(query: URLSearchParams): FakeAnswer {
    const path = [query.get('type') || 'output', query.get('subfolder'), query.get('filename')]
      .filter(Boolean)
      .join('/');
    const body = prompts.files.get(path);
    return body ? { status: 200, type: 'image/png', body } : { status: 404 };
  }

  /** As a file of a folder that was uploaded: a name that is taken is another file's, unless it holds the same. */
  async function upload({ bytes, headers }: FakeRequest): Promise<FakeAnswer> {
    const form = await new Response(bytes, {
      headers: { 'content-type': `${headers['content-type']}` },
    }).formData();
    const image = form.get('image');
    const type = form.get('type') ?? 'input';
    if (!(image instanceof File)) return { status: 400 };
    const content = Buffer.from(await image.arrayBuffer());
    const free = (name: string) => prompts.files.get(`${type}/${name}`)?.equals(content) ?? true;
    let { name } = image;
    for (let at = 1; !free(name); at++) name = image.name.replace(/(\.\w+)$/, ` (${at})$1`);
    prompts.files.set(`${type}/${name}`, content);
    return json({ name, subfolder: '', type });
  }

  /** What a node takes that loads a model; as nodes of either interface tell it. */
  function objectInfo(node: string): FakeAnswer {
    const { upscale_models = [], background_removal } = models;
    if (node === 'UpscaleModelLoader')
      return json({
        [node]: { input: { required: { model_name: ['COMBO', { options: upscale_models }] } } },
      });
    if (node === 'LoadBackgroundRemovalModel' && background_removal)
      return json({ [node]: { input: { required: { bg_removal_name: [background_removal, {}] } } } });
    if (node === 'VAELoader')
      return json({ [node]: { input: { required: { vae_name: [modelsOf(node, 'vae', models)] } } } });
    return json({});
  }

  function change(path: string, sent: Record<string, unknown>): FakeAnswer | undefined {
    const ids = Array.isArray(sent.delete) ? sent.delete.map(String) : [];
    switch (path) {
      case '/prompt':
        return submit(sent);
      case '/history':
        for (const id of ids) prompts.history.delete(id);
        return NOTHING;
      case '/queue':
        for (const id of ids) prompts.remove(id);
        return NOTHING;
      case '/interrupt':
        if (!sent.prompt_id || prompts.running?.id === sent.prompt_id) prompts.interrupt();
        return NOTHING;
      default:
        return undefined;
    }
  }

  function read(path: string, query: URLSearchParams): FakeAnswer | undefined {
    const [, first, second = ''] = path.split('/');
    const { running, pending, history } = prompts;
    switch (first) {
      case 'system_stats':
        return json({ system: { os: 'posix', comfyui_version: version(), argv: ['main.py'] }, devices: [] });
      case 'prompt':
        return json({ exec_info: { queue_remaining: pending.length + (running ? 1 : 0) } });
      case 'object_info':
        return objectInfo(second);
      case 'models':
        return models[second] ? json(models[second]) : { status: 404 };
      case 'history':
        return json(history.has(second) ? { [second]: history.get(second) } : {});
      case 'queue':
        return json({ queue_running: running ? [item(running)] : [], queue_pending: pending.map(item) });
      case 'view':
        return view(query);
      default:
        return undefined;
    }
  }

  return async function answer(request: FakeRequest): Promise<FakeAnswer> {
    const { method, path, query, body } = request;
    if (method === 'POST' && path === '/upload/image') return upload(request);
    const missing = text('404: Not Found', 404);
    const job = since(26, version()) ? /^\/api\/jobs\/([^/]+)(\/cancel)?$/.exec(path) : null;
    if (method === 'GET') return job?.[1] ? jobOf(job[1]) : (read(path, query) ?? missing);
    let sent: Record<string, unknown>;
    try {
      sent = JSON.parse(body);
    } catch {
      // Nothing catches it there either.
      return text('500 Internal Server Error\n\nServer got itself in trouble', 500);
    }
    if (job?.[1]) return json({ cancelled: cancel(job[1]) });
    return change(path, sent) ?? missing;
  };
}

const since = (minor: number, version: string): boolean => {
  const [major = 0, its = 0] = version.split('.').map(Number);
  return major > 0 || its >= minor;
};

const item = ({ number, id, graph, extraData, outputs }: Prompt) => [number, id, graph, extraData, outputs];

function wordFor({ status }: Entry): string {
  if (status.status_str === 'success') return 'completed';
  return status.messages.some(([event]) => event === 'execution_interrupted') ? 'cancelled' : 'failed';
}
