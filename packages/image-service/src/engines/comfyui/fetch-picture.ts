import { cleanPicture, UnreadablePicture } from '../clean-picture.ts';
import { DrawingError, type DrawnPicture } from '../engine.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import type { ComfyClient } from './client.ts';
import type { ImageFile } from './responses.ts';

/** Fetches the picture of a finished prompt. */
export async function fetchPicture(
  client: ComfyClient,
  [file]: readonly ImageFile[],
  signal: AbortSignal,
): Promise<DrawnPicture> {
  if (!file) throw new DrawingError('The graph ran to the end but saved no picture.');
  const bytes = await client.view(file, signal);
  if (!bytes) throw new DrawingLost('the picture is gone from the server');
  try {
    return await cleanPicture(bytes);
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    if (error.damaged) throw new DrawingLost(error.message, { cause: error });
    throw new DrawingError('What the graph saved is not a picture.', { cause: error });
  }
}
