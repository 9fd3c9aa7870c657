import { CallFailed } from '../call-failed.ts';
import { DrawingError } from '../engine.ts';
import { INPUT_TOO_LARGE } from '../inputs.ts';
import { DrawingLost, NotTaken } from '../servers/drawing-lost.ts';
import { GPU_LOST, isGpuLost, isOutOfMemory, TOO_LITTLE_MEMORY } from '../servers/gpu-errors.ts';
import { sanitize } from '../servers/sanitize.ts';
import * as responses from './responses.ts';

/**
 * Of a proxy that finds no server, of `--api-auth`, and of a full queue. Not 504, nor 522 and 524 of Cloudflare: there
 * the server was asked, and draws on (AUTOMATIC1111/stable-diffusion-webui#9384).
 */
const NOT_NOW: readonly (number | undefined)[] = [401, 403, 429, 502, 503];

/** What the answer to a request for a picture means for the drawing; what is no answer of a server stays as it is. */
export function explainRefusal(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error;
  const { status = 0, body, message } = error;
  const { kind, reason } = responses.problem.safeParse(body).data ?? { kind: '', reason: '' };
  // What FastAPI says where there is no such call: the WebUI was started without `--api`.
  const noApi = status === 404 && (reason === '' || reason === 'Not Found');
  if (NOT_NOW.includes(status) || noApi) return new NotTaken(message, { cause: error });
  if (isOutOfMemory(`${kind} ${reason}`)) return new DrawingError(TOO_LITTLE_MEMORY, { cause: error });
  if (isGpuLost(`${kind} ${reason}`)) return new DrawingLost(GPU_LOST, { cause: error });
  if (status === 413) return new DrawingError(INPUT_TOO_LARGE, { cause: error });
  if (status >= 400 && status < 500)
    return new DrawingError(`The image server refused this: ${sanitize(reason) || 'no reason was given'}`, {
      cause: error,
    });
  if (status === 500 && reason)
    return new DrawingError(`The image server failed: ${sanitize(reason)}`, { cause: error });
  return new DrawingLost(message, { cause: error });
}
