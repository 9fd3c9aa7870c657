import { type AttachedFile, FileGoneError, type ShownPicture } from '../jobs/input.ts';
import { classifyDiscordError } from './classify-discord-error.ts';
import type { MessageApi } from './message-api.ts';
import { fileAt } from './shown-pictures.ts';

/** For one attempt, in real milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * The file of a picture in a message of the bot, at an address that is fresh. Rejects with `FileGoneError` where the
 * message or its file is not to be had any more, with the reason of `signal`, and where Discord may tell it later.
 */
export async function findShownFile(
  shown: ShownPicture,
  signal: AbortSignal,
  discord: Pick<MessageApi, 'read'>,
): Promise<AttachedFile> {
  const read = discord.read(shown, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  const message = await read.catch((cause: unknown) => {
    if (classifyDiscordError(cause).kind === 'temporary') throw cause;
    throw new FileGoneError('the message that shows the picture cannot be read', { cause });
  });
  const file = fileAt(shown, message.attachments);
  if (!file) throw new FileGoneError('the message shows the picture no more');
  return file;
}
