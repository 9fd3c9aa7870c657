import mime from 'mime';
import sharp from 'sharp';
import { LINK_LIFE_MS } from '../cdn/links.ts';
import type { Context } from '../context.ts';
import { type AttachmentNote, cleanFilename, type UploadedFile } from '../rules/attachments.ts';
import { createdAt } from './snowflakes.ts';
import type { Attachment } from './state.ts';

/** Keeps an uploaded file. What a picture is and how large, its bytes say; of other files the name. */
export async function addAttachment(
  { state, snowflakes, files }: Context,
  file: Omit<UploadedFile, 'n'>,
  place: { id?: string; channelId: string; ephemeral: boolean; note?: AttachmentNote | undefined },
): Promise<Attachment> {
  const picture = await pictureIn(file.bytes);
  const filename = cleanFilename(place.note?.filename ?? file.name);
  const spoiler = place.note?.is_spoiler ?? filename.startsWith('SPOILER_');
  const attachment: Attachment = {
    id: place.id ?? snowflakes.next(),
    channelId: place.channelId,
    filename: spoiler && !filename.startsWith('SPOILER_') ? `SPOILER_${filename}` : filename,
    contentType: contentTypeOf(filename, file.contentType, picture?.format),
    size: file.bytes.length,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    description: place.note?.description ?? null,
    title: place.note?.title ?? null,
    ephemeral: place.ephemeral,
  };
  await files.put(attachment.id, file.bytes);
  state.attachments.set(attachment.id, attachment);
  return attachment;
}

export async function removeAttachment({ state, files }: Context, id: string): Promise<void> {
  state.attachments.delete(id);
  await files.remove(id);
}

/** Removes what no message has and no link leads to any more: files that commands and forms were given. */
export async function removeUnreachable(context: Context): Promise<void> {
  const { state, clock } = context;
  const inMessages = new Set([...state.messages.values()].flatMap(({ attachments }) => attachments));
  for (const id of state.attachments.keys()) {
    const isLinked = clock.now() - createdAt(id) <= LINK_LIFE_MS;
    if (!isLinked && !inMessages.has(id)) await removeAttachment(context, id);
  }
}

/** What sharp says of it; undefined where it is none. Of no bytes at all sharp throws before it can reject. */
const pictureIn = async (bytes: Uint8Array) =>
  bytes.length === 0
    ? undefined
    : sharp(bytes)
        .metadata()
        .catch(() => undefined);

function contentTypeOf(filename: string, said: string, pictureFormat: string | undefined): string {
  const told = said === '' || said === 'application/octet-stream' ? undefined : said;
  return (
    (pictureFormat && mime.getType(pictureFormat)) ||
    mime.getType(filename) ||
    told ||
    'application/octet-stream'
  );
}
