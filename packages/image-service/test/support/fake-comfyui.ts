import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, until } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import { createPrompts, type Prompt } from './fake-comfyui/prompts.ts';
import { createRoutes, type FakeRequest } from './fake-comfyui/routes.ts';
import { createSockets } from './fake-comfyui/sockets.ts';

export interface FakeComfyOptions {
  /** 0.38.1 unless given. Jobs exist since 0.26, the rule that a prompt's id is a UUID since 0.25. */
  version?: string;
  /** Folder → names. One model for each workflow unless given. */
  models?: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds between the word of a success and its place in the history; 0 unless given. */
  historyLagMs?: number;
  /** Gives prompts ids of its own, as very old versions do. */
  ownIds?: boolean;
}

/** Answers in place of the fake; false where it does not want to. */
export type Fault = (request: FakeRequest, response: ServerResponse) => boolean | Promise<boolean>;

export type FakeComfy = Awaited<ReturnType<typeof createFakeComfy>>;

export const FAKE_MODELS = {
  checkpoints: ['v1-5-pruned-emaonly-fp16.safetensors', 'sdxl/animagine-xl-4.0-opt.safetensors'],
  diffusion_models: ['z_image_turbo_bf16.safetensors'],
  text_encoders: ['qwen_3_4b.safetensors'],
  vae: ['ae.safetensors'],
  upscale_models: ['4x-UltraSharp.pth'],
  background_removal: ['birefnet.safetensors'],
};

/** A ComfyUI without a model: its interface over real sockets, with its real quirks. Closes with the test. */
export async function createFakeComfy(options: FakeComfyOptions = {}) {
  const { models = FAKE_MODELS, historyLagMs = 0, ownIds = false } = options;
  let { version = '0.38.1' } = options;
  const sockets = createSockets();
  const prompts = createPrompts({ sockets, historyLagMs });
  const requests: FakeRequest[] = [];
  const submitted: Prompt[] = [];
  const faults: { path: string; fault: Fault; times: number }[] = [];
  const onAccepted = (prompt: Prompt) => submitted.push(prompt);
  const answer = createRoutes({ prompts, models, version: () => version, ownIds, onAccepted });

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, stream, head) => {
    if (request.headers.origin === undefined) sockets.accept(request, stream, head);
    else stream.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  const port = await listen(server);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(`http://fake${incoming.url}`);
    const { method = 'GET', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = bytes.toString();
    const request = { method, path: url.pathname, query: url.searchParams, headers, bytes, body };
    requests.push(request);
    const fault = faults.find(({ path, times }) => times > 0 && request.path.startsWith(path));
    if (fault) {
      fault.times -= 1;
      if (await fault.fault(request, response)) return;
      fault.times += 1;
    }
    const answered = headers.origin === undefined ? await answer(request) : { status: 403 };
    response.writeHead(answered.status, answered.type === undefined ? {} : { 'content-type': answered.type });
    response.end(answered.body);
  }

  async function down(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    sockets.drop();
    await once(server, 'close');
  }

  async function close(): Promise<void> {
    prompts.forgetAll();
    prompts.release();
    await down();
  }
  onTestFinished(close);

  return {
    url: `http://127.0.0.1:${port}`,
    /** Everything that was asked, in order; of one path if given. */
    requests: (path = '') => requests.filter((request) => request.path.startsWith(path)),
    /** Every prompt that was accepted. */
    submitted,
    prompts,
    sockets,
    until,
    /** The prompt that runs, as soon as there is one; of this id if given. */
    running: (id?: string): Promise<Prompt> =>
      until(() => (id === undefined || prompts.running?.id === id) && prompts.running, 'a running prompt'),
    /** Answers the next requests to a path in another way; every one from now on unless told how many. */
    fault(path: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
      faults.push({ path, fault, times });
    },
    /** Ends the process and starts another at once: queue and history are lost, every connection breaks. */
    restart(as = version): void {
      version = as;
      prompts.forgetAll();
      server.closeAllConnections();
      sockets.drop();
    },
    down,
    /** Listens again where it did. */
    async up(): Promise<void> {
      await listen(server, port);
    },
    close,
  };
}
