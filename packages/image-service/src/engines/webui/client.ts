import { DAY_MS } from '@darkroom/time';
import type { Address } from '../address.ts';
import { type Call, createHttpCaller } from '../http-caller.ts';
import * as responses from './responses.ts';

/** Until the picture is drawn nothing is answered; the task's deadline comes long before. */
const DRAW_TIMEOUT_MS = DAY_MS;
const PICTURE_TIMEOUT_MS = 60_000;
/** A service that stops waits for it. */
const CANCEL_TIMEOUT_MS = 5_000;

export type WebuiClient = ReturnType<typeof createWebuiClient>;

/**
 * The calls that are used of Stable Diffusion WebUI (`/sdapi/v1`) and of stable-diffusion.cpp (`/sdcpp/v1`). Each has
 * a timeout and rejects with `CallFailed`.
 */
export function createWebuiClient({
  address,
  timeoutMs = 10_000,
}: {
  address: Address;
  timeoutMs?: number | undefined;
}) {
  const { read, readIfThere, post, close } = createHttpCaller({ address, timeoutMs });
  const id = encodeURIComponent;

  const drawingCall = (call: string, body: unknown, signal: AbortSignal): Call => ({
    method: 'POST',
    path: `/sdapi/v1/${call}`,
    body,
    signal,
    timeoutMs: DRAW_TIMEOUT_MS,
  });

  const cancel = (path: string) => post(path, {}, { timeoutMs: CANCEL_TIMEOUT_MS });

  return {
    /** Draws; returns pictures as base64. The server goes on where the signal aborts. */
    draw: async (call: 'txt2img' | 'img2img', body: unknown, signal: AbortSignal): Promise<string[]> =>
      (await read(responses.drawn, drawingCall(call, body, signal))).images,

    /** Enlarges a picture; as `draw`. */
    upscale: async (body: unknown, signal: AbortSignal): Promise<string[]> => [
      (await read(responses.enlarged, drawingCall('extra-single-image', body, signal))).image,
    ],

    /** Names of what enlarges pictures, a plain resampling among them. */
    async upscalers(): Promise<string[]> {
      const found = await readIfThere(responses.named, { path: '/sdapi/v1/upscalers' });
      return (found ?? []).map(({ name }) => name);
    },

    /** What is drawn now, whoever asked for it; undefined where the program does not tell. */
    progress: ({ preview }: { preview: boolean }, signal?: AbortSignal) =>
      readIfThere(responses.progress, {
        path: `/sdapi/v1/progress?skip_current_image=${!preview}`,
        signal,
      }),

    /** Ends what is drawn now, whoever asked for it. */
    interrupt: () => cancel('/sdapi/v1/interrupt'),

    /** File names of the models, with folders. */
    async checkpoints(): Promise<string[]> {
      const found = await read(responses.checkpoints, { path: '/sdapi/v1/sd-models' });
      return found.map(({ title }) => title.replace(/ \[[0-9a-f]+\]$/i, ''));
    },

    async samplers(signal?: AbortSignal): Promise<string[]> {
      const found = await readIfThere(responses.named, { path: '/sdapi/v1/samplers', signal });
      return (found ?? []).map(({ name }) => name);
    },

    /** What stable-diffusion.cpp can do; undefined where the server is another program. */
    capabilities: () => readIfThere(responses.capabilities, { path: '/sdcpp/v1/capabilities' }),

    /** Begins a job of stable-diffusion.cpp; returns its id. */
    submitJob: async (body: unknown, signal: AbortSignal): Promise<string> =>
      (await read(responses.submitted, { method: 'POST', path: '/sdcpp/v1/img_gen', body, signal })).id,

    /** How far a job is, with its picture at the end. */
    job: (job: string, signal: AbortSignal): Promise<responses.Job> =>
      read(responses.job, { path: `/sdcpp/v1/jobs/${id(job)}`, signal, timeoutMs: PICTURE_TIMEOUT_MS }),

    /** Takes a job out of the queue. Rejects with status 409 while it is drawn: then it is drawn to its end. */
    cancelJob: (job: string) => cancel(`/sdcpp/v1/jobs/${id(job)}/cancel`),

    close,
  };
}
