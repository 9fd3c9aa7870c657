import { until } from '@darkroom/testing';
import sharp from 'sharp';
import { createFakeMachine, type MachineAnswer, type MachineRequest } from './fake-machine.ts';
import { withText } from './png-text.ts';

/** What is asked for with words, by `txt2img`. */
interface Txt2imgBody {
  prompt: string;
  negative_prompt: string;
  width: number;
  height: number;
  steps: number;
  seed: number;
  cfg_scale: number;
  sampler_name?: string;
  save_images: boolean;
  override_settings?: { sd_model_checkpoint?: string };
}

/** What `img2img` takes besides, in base64. */
interface Img2imgBody extends Txt2imgBody {
  denoising_strength?: number;
  init_images?: readonly string[];
  mask?: string;
}

/** A call for a picture that has not been answered yet. A test takes it forward. */
interface WebuiRequest {
  call: 'txt2img' | 'img2img' | 'extra-single-image';
  body: Img2imgBody;
  interrupted: boolean;
  /** Answers it; with the picture of one colour, unless told. */
  finish(images?: readonly string[]): Promise<void>;
  /**
   * It fails, with 500. An enlargement stays what is told of, as in the WebUI, where `modules/postprocessing.py` ends its
   * job in no `finally`.
   */
  fail(): void;
  /**
   * A proxy before it answers with this status, and it is drawn on: as nginx does after its `proxy_read_timeout`, with
   * 504 (AUTOMATIC1111/stable-diffusion-webui#9722), and Cloudflare with 524 (#9384).
   */
  cut(status: number): void;
}

export interface FakeWebuiOptions {
  /** File names. */
  models?: readonly string[];
  /** Names. */
  upscalers?: readonly string[];
  /** `user:password` of `--api-auth`. */
  auth?: string;
  /** Whether it answers `progress` and `interrupt`, which other programs with this interface do not. */
  progress?: boolean;
}

const NOT_FOUND: MachineAnswer = { status: 404, body: { detail: 'Not Found' } };

/** Stable Diffusion WebUI over a real socket, as its `/sdapi/v1` is described. Draws one picture after the other. */
export async function createFakeWebui({
  models = ['v1-5-pruned-emaonly.safetensors', 'sdxl/animagine-xl-4.0.safetensors'],
  upscalers = ['None', 'Lanczos', 'Nearest', 'ESRGAN_4x', 'R-ESRGAN 4x+', 'R-ESRGAN 4x+ Anime6B'],
  auth,
  progress = true,
}: FakeWebuiOptions = {}) {
  const requests: WebuiRequest[] = [];
  const unanswered: WebuiRequest[] = [];
  const state = {
    job_count: 0,
    job_timestamp: '0',
    interrupted: false,
    skipped: false,
    job: '',
    sampling_step: 0,
    sampling_steps: 0,
  };
  const now: { progress: number; current_image: string | null } = { progress: 0, current_image: null };
  let jobs = 0;
  /** Of one that begins: the time to the second, and here another one for each. */
  const beginJob = () => ({ job_count: 1, job_timestamp: `${20_260_101_000_000 + ++jobs}` });
  const machine = await createFakeMachine(route);

  function route({
    method,
    path,
    headers,
    query,
    text,
  }: MachineRequest): MachineAnswer | Promise<MachineAnswer> {
    if (auth !== undefined && headers.authorization !== `Basic ${Buffer.from(auth).toString('base64')}`)
      return {
        status: 401,
        body: { error: 'HTTPException', detail: 'Incorrect username or password', body: '', errors: '' },
      };
    switch (`${method} ${path}`) {
      case 'GET /sdapi/v1/sd-models':
        return {
          status: 200,
          body: models.map((name, at) => ({
            title: at === 0 ? `${name} [6ce0161689]` : name,
            model_name: name.replace(/\.\w+$/, '').replaceAll('/', '_'),
            hash: at === 0 ? '6ce0161689' : null,
            sha256: null,
            filename: `/home/ann/webui/models/Stable-diffusion/${name}`,
            config: null,
          })),
        };
      case 'GET /sdapi/v1/samplers':
        return {
          status: 200,
          body: ['Euler', 'Euler a', 'DPM++ 2M'].map((name) => ({ name, aliases: [], options: {} })),
        };
      case 'GET /sdapi/v1/progress':
        if (!progress) return NOT_FOUND;
        return {
          status: 200,
          body: {
            ...now,
            current_image: query.get('skip_current_image') === 'true' ? null : now.current_image,
            eta_relative: 0,
            state: { ...state, job_no: 0 },
            textinfo: null,
          },
        };
      case 'POST /sdapi/v1/interrupt':
      case 'POST /sdapi/v1/skip': {
        if (!progress) return NOT_FOUND;
        state[path.endsWith('skip') ? 'skipped' : 'interrupted'] = true;
        const [first] = unanswered;
        if (first) {
          first.interrupted = true;
          void first.finish();
        }
        return { status: 200, body: {} };
      }
      case 'GET /sdapi/v1/upscalers':
        return {
          status: 200,
          body: upscalers.map((name) => ({
            name,
            model_name: null,
            model_path: null,
            model_url: null,
            scale: 4,
          })),
        };
      case 'POST /sdapi/v1/txt2img':
        return draw('txt2img', JSON.parse(text));
      case 'POST /sdapi/v1/img2img':
        return draw('img2img', JSON.parse(text));
      case 'POST /sdapi/v1/extra-single-image': {
        const { upscaling_resize_w: width, upscaling_resize_h: height, ...body } = JSON.parse(text);
        return draw('extra-single-image', { ...body, width, height, prompt: '' });
      }
      default:
        return NOT_FOUND;
    }
  }

  const draw = (call: WebuiRequest['call'], body: Img2imgBody): Promise<MachineAnswer> =>
    new Promise((resolve) => {
      const request: WebuiRequest = {
        call,
        body,
        interrupted: false,
        async finish(images) {
          const drawn = images ?? [await picture(body)];
          const info = JSON.stringify({ prompt: body.prompt, seed: body.seed, infotexts: [body.prompt] });
          unanswered.splice(unanswered.indexOf(request), 1);
          Object.assign(state, { job_count: unanswered.length === 0 ? 0 : 1, job: '' });
          const [image] = drawn;
          const answer =
            call === 'extra-single-image'
              ? { html_info: '', image }
              : { images: drawn, parameters: body, info };
          resolve({ status: 200, body: answer });
        },
        fail() {
          unanswered.splice(unanswered.indexOf(request), 1);
          if (call !== 'extra-single-image') Object.assign(state, { job_count: 0, job: '' });
          const body = {
            error: 'RuntimeError',
            detail: '',
            body: '',
            errors: 'The size of tensor a must match',
          };
          resolve({ status: 500, body });
        },
        cut: (status) => resolve({ status, body: '<html>' }),
      };
      if (unanswered.length === 0) {
        Object.assign(state, { ...beginJob(), job: 'scripts_txt2img', interrupted: false, skipped: false });
        Object.assign(now, { progress: 0, current_image: null });
      }
      requests.push(request);
      unanswered.push(request);
    });

  return {
    ...machine,
    url: `http://${auth === undefined ? '' : `${auth}@`}${machine.host}`,
    requests,
    /** The request of that number, from 0, as soon as it is there. */
    request: (at = 0): Promise<WebuiRequest> => until(() => requests[at], 'a request at the WebUI'),
    /** What `progress` tells: 0 to 1, and a preview in base64. */
    tell: (share: number, preview?: string) =>
      void Object.assign(now, { progress: share, current_image: preview ?? null }),
    /** Somebody else has it draw, or not any more. */
    occupy: (busy: boolean) => void Object.assign(state, busy ? beginJob() : { job_count: 0 }),
  };
}

/** As the WebUI sends it: a PNG with the prompt in `tEXt parameters`. */
export async function picture({
  width,
  height,
  prompt,
}: Pick<Txt2imgBody, 'width' | 'height' | 'prompt'>): Promise<string> {
  const plain = sharp({ create: { width, height, channels: 3, background: '#6b3550' } });
  return withText(await plain.png().toBuffer(), 'parameters', prompt).toString('base64');
}
