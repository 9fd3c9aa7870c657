import { createDeferred, until } from '@darkroom/testing';
import sharp from 'sharp';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';

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

export const OPENAI_KEY = 'sk-proj-key-of-somebody';

/** A refusal as OpenAI words it. */
export const openaiRefusal = (status: number, code: string | null, message: string, headers = {}) => ({
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
  const requests: ImageRequest[] = [];
  const answers: MachineAnswer[] = [];
  const downloads: MachineAnswer[] = [];
  const aboutModels: MachineAnswer[] = [];
  const aboutServer: MachineAnswer[] = [];
  let held: Promise<void> | undefined;
  const machine = await createFakeMachine(route);
  const url = `http://${machine.host}`;

  async function route({ path, headers, text, bytes }: MachineRequest): Promise<MachineAnswer> {
    if (path === '/picture.png') {
      const png = { status: 200, body: await picture(), headers: { 'content-type': 'image/png' } };
      return downloads.shift() ?? png;
    }
    if (sdcpp && path === '/sdcpp/v1/capabilities')
      return aboutServer.shift() ?? { status: 200, body: { model: {} } };
    if (headers.authorization !== `Bearer ${OPENAI_KEY}`) {
      return openaiRefusal(
        401,
        'invalid_api_key',
        `Incorrect API key provided: ${headers.authorization}. You can find your API key at https://platform.openai.com.`,
      );
    }
    const [, asksForModels, model] = /^(\/v1\/models)(?:\/(.+))?$/.exec(path) ?? [];
    if (asksForModels && !scopes.includes('api.model.read')) {
      const refused = 'You have insufficient permissions for this operation. Missing scopes: api.model.read.';
      const error = { message: refused, type: 'invalid_request_error', code: null };
      return { status: 403, body: { error } };
    }
    if (asksForModels && model === undefined) return { status: 200, body: { object: 'list', data: [] } };
    if (model !== undefined) {
      const set = aboutModels.shift();
      if (set !== undefined) return set;
      if (/^gpt-image/.test(model)) return { status: 200, body: { object: 'model', id: model } };
      return openaiRefusal(404, 'model_not_found', `The model '${model}' does not exist`);
    }
    if (path === '/v1/images/generations') requests.push(JSON.parse(text));
    else if (path === '/v1/images/edits') requests.push(await editOf(bytes, headers['content-type'] ?? ''));
    else return { status: 404, body: { error: { message: 'Not found' } } };
    const set = answers.shift();
    await held;
    if (set !== undefined) return set;
    const data = byUrl
      ? [{ url: `${url}/picture.png` }]
      : [{ b64_json: (await picture()).toString('base64') }];
    const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };
    return { status: 200, body: { created: 1_767_225_600, data, usage } };
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
    asked: machine.asked,
    /** The pictures that were asked for with the right key. */
    requests,
    request: (at = 0): Promise<ImageRequest> => until(() => requests[at], 'a request for a picture'),
    /** Answers the next requests for a picture in another way, one after the other. */
    answer: (...next: MachineAnswer[]) => void answers.push(...next),
    /** Lets requests for a picture wait for their answer until the function is called that it returns. */
    hold(): () => void {
      const { promise, resolve: release } = createDeferred<void>();
      held = promise;
      return release;
    },
    /** The same for the next questions about a model. */
    answerAboutModel: (...next: MachineAnswer[]) => void aboutModels.push(...next),
    /** The same for the next questions about what its server can. */
    answerAboutServer: (...next: MachineAnswer[]) => void aboutServer.push(...next),
    /** The same for the next downloads. */
    answerDownload: (...next: MachineAnswer[]) => void downloads.push(...next),
  };
}
