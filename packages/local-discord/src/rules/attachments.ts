import { type RESTAPIAttachment, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { apiError } from './errors.ts';
import { invalidFormBody, type Path } from './form-errors.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_ATTACHMENTS = 10;

/** Source: 'Message', Create Message: the default size of one file, and of a whole request. */
export const ATTACHMENT_SIZE_LIMIT = 10 * MEBIBYTE;
export const REQUEST_SIZE_LIMIT = 25 * MEBIBYTE;

/** The part `files[n]` of a multipart body. */
export interface UploadedFile {
  n: number;
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/** An entry of a body's `attachments`: what it says of a new file, or of one that is there already. */
export type AttachmentNote = RESTAPIAttachment;

export interface AttachmentPlan {
  remaining: { id: string; note: AttachmentNote | undefined }[];
  added: { file: UploadedFile; note: AttachmentNote | undefined }[];
}

/**
 * Which attachments a message has after a request. Source: 'Message', editing attachments: with a list, what it does
 * not name is removed; without one everything stays. A note's id is the `n` of `files[n]` or an attachment's id.
 */
export function planAttachments(
  existing: readonly string[],
  notes: readonly AttachmentNote[] | null | undefined,
  files: readonly UploadedFile[],
  { limit, at }: { limit: number; at: Path },
): AttachmentPlan {
  if (files.some(({ bytes }) => bytes.length > limit)) {
    throw apiError(RESTJSONErrorCodes.RequestEntityTooLarge);
  }
  for (const [index, { id }] of (notes ?? []).entries()) {
    if (existing.includes(String(id)) || files.some(({ n }) => String(n) === String(id))) continue;
    throw invalidFormBody([...at, 'attachments', index, 'id'], 'ATTACHMENT_NOT_FOUND');
  }
  const noteOf = (id: string) => notes?.find((note) => String(note.id) === id);
  const plan = {
    remaining: existing
      .map((id) => ({ id, note: noteOf(id) }))
      .filter(({ note }) => notes === undefined || notes === null || note !== undefined),
    added: files.map((file) => ({ file, note: noteOf(String(file.n)) })),
  };
  if (plan.remaining.length + plan.added.length > MAX_ATTACHMENTS) {
    throw invalidFormBody(
      [...at, 'attachments'],
      'BASE_TYPE_BAD_LENGTH',
      `Must be ${MAX_ATTACHMENTS} or fewer in length.`,
    );
  }
  return plan;
}

/** A name as Discord keeps it: spaces become underscores, what a URL or a file system cannot carry is left out. */
export function cleanFilename(name: string): string {
  const clean = name
    .normalize('NFKD')
    .replaceAll(/\s/g, '_')
    .replaceAll(/[^\w.()-]/g, '');
  return clean.replaceAll('.', '') === '' ? `unknown${clean}` : clean;
}
