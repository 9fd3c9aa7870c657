import { receivedPicture } from '../clean-picture.ts';
import {
  ALL_ABILITIES,
  type Drawing,
  DrawingError,
  type DrawnPicture,
  type DrawOptions,
  type Engine,
  type Operations,
  type PromptedDrawing,
  type RequestedDrawing,
} from '../engine.ts';
import { type Inputs, readInputs, strengthOf } from '../inputs.ts';
import { drawOnServers } from '../servers/attempts.ts';
import { POLL_TIMES } from '../servers/patience.ts';
import { createServerPool } from '../servers/pool.ts';
import { findServerRejection } from '../servers/rejection.ts';
import { findModel, type RequiredModel } from '../servers/required-model.ts';
import { createServerEngine, type ServerEngineOptions } from '../servers/server-engine.ts';
import type { WebuiClient } from './client.ts';
import { drawAtOnce } from './draw-at-once.ts';
import { followJob } from './draw-by-job.ts';
import { explainRefusal } from './explain.ts';
import { type Beginning, img2imgBody, jobBody, SIZE_STEP, txt2imgBody, upscaleBody } from './request-body.ts';
import { CHECKPOINTS, createWebuiServer, UPSCALERS, type WebuiServer } from './server.ts';

/** How the name of a network begins that enlarges pictures; every WebUI knows one. */
const UPSCALER = 'R-ESRGAN';
/** Where no drawing has shown how fast a server is. */
const UNKNOWN_MS = 30_000;

/** How the model of a workflow begins; `default` is drawn with the one that is loaded. */
const MODELS: Readonly<Partial<Record<Drawing['workflow'], string>>> = {
  anime: 'animagine-xl-4.0',
  'z-image': 'z_image_turbo',
};

/**
 * Draws on one or several servers that speak the interface of Stable Diffusion WebUI, one picture at a time on each.
 * A job of stable-diffusion.cpp is remembered and found again by a later process; a WebUI's picture comes with the
 * answer to the call or never, and is drawn anew.
 */
export function createWebuiEngine({
  servers: urls,
  clock,
  log,
  pollMs = POLL_TIMES.pollMs,
  silenceMs = POLL_TIMES.silenceMs,
  timeoutMs,
}: ServerEngineOptions): Engine {
  const servers = urls.map((url) => createWebuiServer({ url, clock, log, timeoutMs }));
  // While somebody else has a server draw, a task waits here, where it can be cancelled, and not there.
  const pool = createServerPool({ servers, hasRoom: ({ own, foreign }) => own + foreign < 1, clock });
  const times = { pollMs, silenceMs };

  async function draw(drawing: Drawing, { signal, ...options }: DrawOptions): Promise<DrawnPicture> {
    const { prompt, taskId } = drawing;
    if (typeof prompt !== 'string') throw new DrawingError('Stable Diffusion WebUI runs no graphs.');
    const earlier = await findEarlierJob(options.remembered, signal);
    if (earlier)
      log.info(
        { server: earlier.server.name, taskId },
        'a drawing of an earlier process is looked for on a server',
      );
    const required = modelsOf(drawing);
    const inputs = await readInputs(drawing, options.readInput);
    const { onProgress } = options;
    const drawn = await drawOnServers(
      { pool, required, first: earlier?.server, taskId, signal, onProgress, clock, log },
      async ({ server, models: [model] }, attempt) => {
        const job = attempt === 1 ? earlier?.job : undefined;
        const startedAt = clock.now();
        const asked = { ...drawing, prompt, model };
        const picture = await drawOn(server, asked, inputs, { ...options, signal }, job);
        if (job === undefined) server.pace = (clock.now() - startedAt) / workOf(drawing);
        return picture;
      },
    );
    return inputs ? inputs.finish(drawn) : drawn;
  }

  /** `job`: that of an earlier process. */
  async function drawOn(
    server: WebuiServer,
    drawing: PromptedDrawing,
    inputs: Inputs | undefined,
    options: DrawOptions,
    job: string | undefined,
  ): Promise<DrawnPicture> {
    const { signal, onProgress, remember } = options;
    const { client, name, pace } = server;
    const surroundings = { server, times, clock, log, taskId: drawing.taskId, signal, onProgress };
    const beginning = inputs && { ...inputs, strength: strengthOf(drawing) };
    if (server.program !== 'jobs') {
      const samplers = await client.samplers(signal).catch(() => []);
      const draw = (bounded: AbortSignal) => callFor(client, drawing, beginning, samplers, bounded);
      return readPicture(await drawAtOnce({ ...surroundings, draw }));
    }
    const followed =
      job ??
      (await client.submitJob(jobBody(drawing, beginning), signal).catch((error: unknown) => {
        throw explainRefusal(error);
      }));
    const picture = await followJob(followed, {
      ...surroundings,
      expectedMs: pace === undefined ? UNKNOWN_MS : pace * workOf(drawing),
      remember: async () => (job === undefined ? remember(`${name} ${followed}`) : undefined),
    });
    return readPicture(picture);
  }

  /** The job that an earlier process has begun, where its server is still one of ours and answers. */
  async function findEarlierJob(remembered: string | undefined, signal: AbortSignal) {
    const [name, job] = remembered?.split(' ') ?? [];
    const server = servers.find((each) => each.name === name);
    if (!server || job === undefined || !(await server.isHealthy(signal))) return undefined;
    return server.program === 'jobs' ? { server, job } : undefined;
  }

  const { engine, closing } = createServerEngine({ servers, pool, draw });

  return {
    ...engine,

    name: 'sdwebui',

    slots: servers.length,

    abilities: (workflow) =>
      workflow === 'rr3'
        ? undefined
        : {
            ...ALL_ABILITIES,
            graphs: false,
            sizeStep: SIZE_STEP,
            previews: servers.some(({ program }) => program === 'progress'),
            cancelling: servers.some(({ program }) => program === 'progress'),
          },

    rejection: (request) =>
      findServerRejection({
        required: modelsOf(request),
        model: request.model,
        servers: pool,
        signal: closing,
      }),

    models: () => pool.models(CHECKPOINTS, closing),

    async operations(workflow): Promise<Operations> {
      if (workflow === 'rr3') return {};
      const upscalers = await pool.models(UPSCALERS, closing);
      return {
        edit: { images: 1, mask: true, strength: true },
        expand: {},
        ...(findModel(upscalers, { folder: UPSCALERS, name: UPSCALER }) && { upscale: {} }),
      };
    },
  };
}

/** Has a server draw in one call. */
function callFor(
  client: WebuiClient,
  drawing: PromptedDrawing,
  beginning: Beginning | undefined,
  samplers: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (beginning && drawing.source?.operation === 'upscale')
    return client.upscale(upscaleBody(beginning.picture, drawing.model, drawing), signal);
  const options = { checkpoint: drawing.model, samplers };
  return beginning
    ? client.draw('img2img', img2imgBody(drawing, beginning, options), signal)
    : client.draw('txt2img', txt2imgBody(drawing, options), signal);
}

function modelsOf({ workflow, model, source }: Omit<RequestedDrawing, 'prompt'>): readonly RequiredModel[] {
  if (source?.operation === 'upscale') return [{ folder: UPSCALERS, name: UPSCALER }];
  const name = model ?? MODELS[workflow];
  return name === undefined ? [] : [{ folder: CHECKPOINTS, name }];
}

/** A step is always sampled. */
const workOf = (drawing: Drawing): number =>
  drawing.width * drawing.height * Math.max(1, drawing.steps * strengthOf(drawing));

async function readPicture(base64: string | undefined): Promise<DrawnPicture> {
  if (base64 === undefined) throw new DrawingError('The image server ended without a picture.');
  return receivedPicture(Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64'), 'the image server');
}
