import { createDeferred } from '@darkroom/testing';
import sharp from 'sharp';
import type { ProviderName } from '../../src/engines/hosted/providers.ts';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';

/** What a provider was asked for: its model and the fields, as it takes them. */
interface ProviderRequest {
  model: string;
  fields: Record<string, unknown>;
}

/** How a provider speaks, beyond a picture that is asked for by `POST`. */
interface Speech {
  /** Where its own address ends, as its package wants it. */
  base: string;
  /** A model of its own that draws from words. */
  model: string;
  /** Whether a picture comes as an address. */
  byAddress: boolean;
  /** The model and the fields of a request for a picture; undefined where that is something else. */
  read(path: string, fields: Record<string, unknown>): ProviderRequest | undefined;
  keyOf(headers: MachineRequest['headers']): unknown;
  wrongKey: MachineAnswer;
  refused(status: number, words: string): MachineAnswer;
  /** What is wrong with the fields of a request, in its words. */
  problemWith?(fields: ProviderRequest['fields']): string | undefined;
  /** With a picture as base64, or its address. */
  drawn(picture: string, url: string): MachineAnswer;
  /** What else it answers whoever has a key. */
  others: Readonly<Record<string, (url: string, requests: readonly ProviderRequest[]) => MachineAnswer>>;
}

const ok = (body: unknown, status = 200): MachineAnswer => ({ status, body });
const withDetail = (status: number, detail: unknown): MachineAnswer => ({ status, body: { detail } });
const withError = (status: number, error: object): MachineAnswer => ({ status, body: { error } });

/** OpenAI's, which others speak as well. */
const OPENAI_ROUTES = {
  base: '/v1',
  byAddress: false,
  read: (path, { model, ...fields }) =>
    path === '/v1/images/generations' ? { model: `${model}`, fields } : undefined,
  keyOf: ({ authorization }) => authorization?.replace('Bearer ', ''),
  wrongKey: withError(401, {
    message: 'Invalid API key provided.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_api_key',
  }),
  refused: (status, message) =>
    withError(status, { message, type: 'invalid_request_error', param: null, code: null }),
  drawn: (b64_json) => ok({ id: 'one', model: 'flux', object: 'list', data: [{ index: 0, b64_json }] }),
  others: { '/v1/models': () => ok([]) },
} satisfies Omit<Speech, 'model'>;

const SPEECHES = {
  /** https://ai.google.dev/api/generate-content; what is wrong with a key is an invalid argument to it. */
  google: {
    base: '/v1beta',
    model: 'gemini-3.1-flash-image',
    byAddress: false,
    read(path, fields) {
      const [, model] = /^\/v1beta\/models\/(.+):generateContent$/.exec(path) ?? [];
      const { contents, generationConfig } = fields as { contents?: unknown; generationConfig?: object };
      const [{ parts: [{ text = '' } = {}] = [] } = {}] = (contents ?? []) as {
        parts?: { text?: string }[];
      }[];
      return model === undefined ? undefined : { model, fields: { prompt: text, ...generationConfig } };
    },
    keyOf: (headers) => headers['x-goog-api-key'],
    wrongKey: withError(400, {
      code: 400,
      message: 'API key not valid. Please pass a valid API key.',
      status: 'INVALID_ARGUMENT',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ],
    }),
    refused: (code, message) => withError(code, { code, message, status: 'FAILED_PRECONDITION' }),
    problemWith: ({ seed }) =>
      Number(seed) > 2 ** 31 - 1
        ? `Invalid value at 'generation_config.seed' (TYPE_INT32), ${seed}`
        : undefined,
    drawn: (data) =>
      ok({
        candidates: [
          {
            content: { parts: [{ inlineData: { mimeType: 'image/png', data } }], role: 'model' },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1_290, totalTokenCount: 1_298 },
      }),
    others: { '/v1beta/models': () => ok({ models: [] }) },
  },
  /** https://docs.fal.ai/model-apis/errors, and a model's own description. */
  fal: {
    base: '',
    model: 'fal-ai/flux/dev',
    byAddress: true,
    read: (path, fields) => (path.startsWith('/fal-ai/') ? { model: path.slice(1), fields } : undefined),
    keyOf: ({ authorization }) => authorization?.replace('Key ', ''),
    wrongKey: withDetail(
      401,
      'Cannot access application. Authentication is required to access this application.',
    ),
    refused: (status, msg) =>
      withDetail(status, [{ loc: ['body', 'prompt'], msg, type: 'content_policy_violation' }]),
    drawn: (url) =>
      ok({
        images: [{ url, width: 1_248, height: 832, content_type: 'image/png' }],
        timings: { inference: 1.2 },
        seed: 7,
        has_nsfw_concepts: [false],
        prompt: 'a fox',
      }),
    others: {},
  },
  /** https://docs.together.ai/reference/post-images-generations */
  togetherai: { ...OPENAI_ROUTES, model: 'black-forest-labs/FLUX.1-schnell' },
  /** As LocalAI and others speak. */
  'openai-compatible': { ...OPENAI_ROUTES, model: 'sd-turbo' },
  /** https://api.bfl.ai/openapi.json: a task that is polled. */
  'black-forest-labs': {
    base: '/v1',
    model: 'flux-pro-1.1',
    byAddress: true,
    read: (path, fields) =>
      path.startsWith('/v1/flux') ? { model: path.slice('/v1/'.length), fields } : undefined,
    keyOf: (headers) => headers['x-key'],
    wrongKey: withDetail(403, 'Not authenticated - Invalid Authentication'),
    refused: (status, words) => withDetail(status, words),
    drawn: (_, url) => ok({ id: 'task', polling_url: `${url}/v1/get_result?id=task`, cost: 5 }),
    others: {
      '/v1/credits': () => ok({ credits: 12 }),
      '/v1/get_result': (url) =>
        ok({ id: 'task', status: 'Ready', result: { sample: `${url}/picture.png` } }),
    },
  },
  /** https://api.replicate.com/openapi.json */
  replicate: {
    base: '/v1',
    model: 'black-forest-labs/flux-schnell',
    byAddress: true,
    read(path, { input }) {
      const [, model] = /^\/v1\/models\/(.+)\/predictions$/.exec(path) ?? [];
      return model === undefined ? undefined : { model, fields: input as Record<string, unknown> };
    },
    keyOf: ({ authorization }) => authorization?.replace('Bearer ', ''),
    wrongKey: withDetail(401, 'You did not pass a valid authentication token'),
    refused: (status, words) => withDetail(status, words),
    drawn: (output) => ok({ id: 'prediction', status: 'succeeded', output }, 201),
    others: { '/v1/account': () => ok({ type: 'user', username: 'ann' }) },
  },
} as const satisfies Partial<Record<ProviderName, Speech>>;

type FakedProvider = keyof typeof SPEECHES;

/** Those that have an interface of their own. */
export const FAKED_PROVIDERS = Object.keys(SPEECHES) as FakedProvider[];

/** A provider's interface over a real socket, from its own description. Closes with the test. */
export async function createFakeProvider(provider: FakedProvider, { key }: { key: string }) {
  const speech: Speech = SPEECHES[provider];
  const requests: ProviderRequest[] = [];
  const machine = await createFakeMachine(route);
  const url = `http://${machine.host}`;
  let picture: Buffer | undefined;
  let held = Promise.resolve();

  async function route({ method, path, headers, text }: MachineRequest): Promise<MachineAnswer> {
    if (path === '/picture.png')
      return { status: 200, body: picture ?? (await aPicture()), headers: { 'content-type': 'image/png' } };
    if (speech.keyOf(headers) !== key) return speech.wrongKey;
    const other = speech.others[path];
    if (other) return other(url, requests);
    const request = method === 'POST' ? speech.read(path, JSON.parse(text)) : undefined;
    if (!request) return speech.refused(404, 'Not found');
    if (request.model.includes('fill') && typeof request.fields.image !== 'string')
      return withDetail(422, [{ loc: ['body', 'image'], msg: 'Field required', type: 'missing' }]);
    const problem = speech.problemWith?.(request.fields);
    if (problem !== undefined) return speech.refused(400, problem);
    requests.push(request);
    const bytes = picture ?? (await aPicture());
    await held;
    return speech.drawn(speech.byAddress ? `${url}/picture.png` : bytes.toString('base64'), url);
  }

  /** Of one colour, in the size that was asked for, with words in its metadata. */
  function aPicture(): Promise<Buffer> {
    const { width = 1_248, height = 832 } = requests.at(-1)?.fields ?? {};
    const size = { width: Number(width), height: Number(height) };
    return sharp({ create: { ...size, channels: 3, background: '#35506b' } })
      .withExif({ IFD0: { ImageDescription: 'words' } })
      .png()
      .toBuffer();
  }

  return {
    ...machine,
    baseUrl: `${url}${speech.base}`,
    model: speech.model,
    requests,
    /** A refusal as it words it. */
    refused: speech.refused,
    /** Answers the next requests for a picture in another way. */
    answerPicture: (...answers: MachineAnswer[]) => {
      for (const answer of answers) machine.answer('POST ', answer);
    },
    /** Pictures are drawn until the returned function is called. */
    hold(): () => void {
      const { promise, resolve: release } = createDeferred<void>();
      held = promise;
      return release;
    },
    /** Whatever it draws from now on are these bytes. */
    draw(bytes: Buffer): void {
      picture = bytes;
    },
  };
}
