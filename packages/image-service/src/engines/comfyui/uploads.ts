import type { Graph } from '@darkroom/image-api';
import { sha256Of } from '../../sha256.ts';
import { CallFailed } from '../call-failed.ts';
import { DrawingError } from '../engine.ts';
import { INPUT_TOO_LARGE, type Inputs } from '../inputs.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import type { ComfyServer } from './server.ts';

/** The names on a server of what a drawing begins with. */
export interface UploadedInputs {
  pictures: readonly string[];
  mask?: string | undefined;
}

/** Uploads what a drawing begins with to a server, which forgets it when it starts. */
export async function uploadInputs(
  { client }: ComfyServer,
  { picture, references, mask }: Inputs,
  signal: AbortSignal,
): Promise<UploadedInputs> {
  const upload = async (file: Uint8Array) => client.upload(await nameOf(file), file, signal);
  try {
    return {
      pictures: await Promise.all([picture, ...references].map(upload)),
      mask: mask && (await upload(mask)),
    };
  } catch (error) {
    throw explainRefusal(error);
  }
}

/** Named by its content, so that a server keeps one of each. */
const nameOf = async (file: Uint8Array) => `darkroom-${(await sha256Of(file)).slice(0, 32)}.png`;

function explainRefusal(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error;
  return error.status === 413
    ? new DrawingError(INPUT_TOO_LARGE, { cause: error })
    : new DrawingLost('a picture that it begins with could not be uploaded', { cause: error });
}

export const INPUT_GONE = 'a picture that it begins with is gone from the server';

/** Whether a node reads what was uploaded: a server that was started since then has it no more. */
export const readsOneOf = (
  { pictures, mask }: UploadedInputs,
  graph: Graph,
  id: string | undefined,
): boolean =>
  id !== undefined &&
  [...pictures, mask].some((name) => name !== undefined && name === graph[id]?.inputs.image);
