import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createDeferred, listen, until } from '@darkroom/testing';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';

/** What was asked for, as OpenAI's description has it. */
interface ImageRequest {
  model: string;
  prompt: string;
  n: number;
  size?: string;
  /** What an edit begins with. */
  images?: Buffer[];
  mask?: Buffer | undefined;
}

/**
 * What is answered in place of a picture: a status and a body, nothing at all (`silence`), or the beginning of an
 * answer (`cut`).
 */
type ImageAnswer = { status: number; body?: unknown; headers?: Record<string, string> } | 'silence' | 'cut';

export const OPENAI_KEY = 'sk-proj-key-of-somebody';

/** A refusal as OpenAI words it. */
export const openaiRefusal = (status: number, code: string, message: string, headers = {}) => ({
  status,
  headers,
  body: { error: { message, type: 'image_generation_user_error', param: null, code } },
});

/** Of a form, as that description has it. */
async function editOf(body: Buffer, type: string): Promise<ImageRequest> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const bytesOf = async (part: unknown) =>
    part instanceof Blob ? [Buffer.from(await part.arrayBuffer())] : [];
  const images = await Promise.all([...form.getAll('image'), ...form.getAll('image[]')].map(bytesOf));
  const [mask] = await bytesOf(form.get('mask'));
  return {
    model: `${form.get('model')}`,
    prompt: `${form.get('prompt')}`,
    n: Number(form.get('n')),
    size: `${form.get('size')}`,
    images: images.flat(),
    mask,
  };
}

/** OpenAI's image routes over a real socket, from its own description (OpenAPI). Closes with the test. */
export async function createFakeOpenai({
  /** The address of the picture instead of its bytes, as servers that speak its routes may send. */
  byUrl = false,
  /** Besides, the routes by which stable-diffusion.cpp's server is known. */
  sdcpp = false,
  /** What its key may do. */
  scopes = ['model.request', 'api.model.read'],
} = {}) {
  const asked: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  const requests: ImageRequest[] = [];
  const answers: ImageAnswer[] = [];
  const downloads: ImageAnswer[] = [];
  const aboutModels: ImageAnswer[] = [];
  const aboutServer: ImageAnswer[] = [];
  let held: Promise<void> | undefined;
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url: path = '' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    asked.push({ method, path, headers });
    const send = async (status: number, body: unknown, type = 'application/json') => {
      response.writeHead(status, { 'content-type': type });
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    };
    if (path === '/picture.png') {
      const set = downloads.shift();
      return set === undefined ? send(200, await picture(), 'image/png') : sendSet(set, response);
    }
    if (sdcpp && path === '/sdcpp/v1/capabilities') {
      const set = aboutServer.shift();
      return set === undefined ? send(200, { model: {} }) : sendSet(set, response);
    }
    if (headers.authorization !== `Bearer ${OPENAI_KEY}`) {
      const { status, body } = openaiRefusal(
        401,
        'invalid_api_key',
        `Incorrect API key provided: ${headers.authorization}. You can find your API key at https://platform.openai.com.`,
      );
      return send(status, body);
    }
    const [, asksForModels, model] = /^(\/v1\/models)(?:\/(.+))?$/.exec(path) ?? [];
    if (asksForModels && !scopes.includes('api.model.read')) {
      const refused = 'You have insufficient permissions for this operation. Missing scopes: api.model.read.';
      return send(403, { error: { message: refused, type: 'invalid_request_error', code: null } });
    }
    if (asksForModels && model === undefined) return send(200, { object: 'list', data: [] });
    if (model !== undefined) {
      const set = aboutModels.shift();
      if (set !== undefined) return sendSet(set, response);
      if (/^(gpt-image|dall-e)/.test(model)) return send(200, { object: 'model', id: model });
      return sendSet(openaiRefusal(404, 'model_not_found', `The model '${model}' does not exist`), response);
    }
    const body = Buffer.concat(chunks);
    if (path === '/v1/images/generations') requests.push(JSON.parse(body.toString()));
    else if (path === '/v1/images/edits') requests.push(await editOf(body, headers['content-type'] ?? ''));
    else return send(404, { error: { message: 'Not found' } });
    const set = answers.shift();
    await held;
    if (set !== undefined) return sendSet(set, response);
    const data = byUrl
      ? [{ url: `${url}/picture.png` }]
      : [{ b64_json: (await picture()).toString('base64') }];
    await send(200, {
      created: 1_767_225_600,
      data,
      usage: { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 },
    });
  }

  async function sendSet(set: ImageAnswer, response: ServerResponse): Promise<void> {
    if (set === 'silence') return;
    if (set === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
      response.write('{"created": 1767225600, "data": [{"b64_json": "iVBORw0KGgo', () => response.destroy());
      return;
    }
    const { status, body = {}, headers } = set;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** In the size that was asked for, with words in its metadata. */
  function picture(): Promise<Buffer> {
    const { size = '64x64', prompt = '' } = requests.at(-1) ?? {};
    const [width = 64, height = 64] = size.split('x').map(Number);
    return sharp({ create: { width, height, channels: 3, background: '#35506b' } })
      .withExif({ IFD0: { ImageDescription: prompt } })
      .png()
      .toBuffer();
  }

  return {
    url,
    /** What `HOSTED_BASE_URL` is set to. */
    baseUrl: `${url}/v1`,
    asked,
    /** The pictures that were asked for with the right key. */
    requests,
    request: (at = 0): Promise<ImageRequest> => until(() => requests[at], 'a request for a picture'),
    /** Answers the next requests for a picture in another way, one after the other. */
    answer: (...next: ImageAnswer[]) => void answers.push(...next),
    /** Lets requests for a picture wait for their answer until the function is called that it returns. */
    hold(): () => void {
      const { promise, resolve: release } = createDeferred<void>();
      held = promise;
      return release;
    },
    /** The same for the next questions about a model. */
    answerAboutModel: (...next: ImageAnswer[]) => void aboutModels.push(...next),
    /** The same for the next questions about what its server can. */
    answerAboutServer: (...next: ImageAnswer[]) => void aboutServer.push(...next),
    /** The same for the next downloads. */
    answerDownload: (...next: ImageAnswer[]) => void downloads.push(...next),
  };
}
