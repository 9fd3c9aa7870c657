import { createHash } from 'node:crypto';
import type { Graph } from '@darkroom/image-api';
import { CallFailed } from '../call-failed.ts';
import { DrawingError } from '../engine.ts';
import { INPUT_TOO_LARGE, type Inputs } from '../inputs.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import type { ComfyServer } from './server.ts';

/** Uploads the picture, and the mask if there is one; returns their names on this server, which forgets them when it starts. */
export async function uploadInputs(
  { client }: ComfyServer,
  { picture, mask }: Inputs,
  signal: AbortSignal,
): Promise<string[]> {
  const upload = (file: Uint8Array) => client.upload(nameOf(file), file, signal);
  try {
    return await Promise.all((mask ? [picture, mask] : [picture]).map(upload));
  } catch (error) {
    throw explainRefusal(error);
  }
}

/** Named by its content, so that a server keeps one of each. */
const nameOf = (file: Uint8Array) =>
  `darkroom-${createHash('sha256').update(file).digest('hex').slice(0, 32)}.png`;

function explainRefusal(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error;
  return error.status === 413
    ? new DrawingError(INPUT_TOO_LARGE, { cause: error })
    : new DrawingLost('a picture that it begins with could not be uploaded', { cause: error });
}

export const INPUT_GONE = 'a picture that it begins with is gone from the server';

/** Whether a node reads one of the pictures that were uploaded: a server that was started since then has them no more. */
export const readsOneOf = (uploaded: readonly unknown[], graph: Graph, id: string | undefined): boolean =>
  id !== undefined && uploaded.includes(graph[id]?.inputs.image);
