import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { bytesOfFile, fileTooLarge } from '../inputs/input-picture.ts';

/** Bytes of a form beside its file: a few other fields are let pass. */
const REST = 16_384;
/** The file, and a few other fields. */
export const MAX_PARTS = 9;
const LIMITS = {
  files: 1,
  fields: MAX_PARTS - 1,
  fieldSize: 1_024,
  fieldNameSize: 100,
  parts: MAX_PARTS,
  headerPairs: 20,
  headerSize: 4_096,
};

/**
 * The bytes of the one file in a form, as `multipart/form-data` with the part `part`. Rejects with an API error for
 * any other body, and with the signal's reason; what is not read then is left for `drain`.
 */
export function readFile(
  request: FastifyRequest,
  { part, signal }: { part: string; signal: AbortSignal },
): Promise<Buffer> {
  const { raw } = request;
  const wrong = (why: string) =>
    new ApiError('invalid_request', `${why} Send multipart/form-data with the picture as ${part}.`, {
      details: { field: part },
    });
  if (Number(request.headers['content-length']) > PICTURE_LIMITS.bytes + REST)
    return Promise.reject(fileTooLarge());

  return new Promise((resolve, reject) => {
    const form = formOf(request);
    if (!form) return reject(wrong('The form cannot be read.'));
    let found: Promise<Buffer> | undefined;
    const settle = (end: () => void) => {
      raw.unpipe(form).off('error', onLost).off('close', onLost);
      signal.removeEventListener('abort', onAbort);
      form.removeAllListeners().on('error', () => undefined);
      raw.pause();
      end();
    };
    const refuse = (error: unknown) => settle(() => reject(error));
    const onAbort = () => refuse(signal.reason);
    // Whoever sent it has gone: a matter of the request, not of the service.
    const onLost = () =>
      raw.readableEnded || refuse(Object.assign(new Error('the upload was broken off'), { statusCode: 400 }));
    form
      // Its type says that each has a name.
      .on('file', (name: string | undefined, file: BusboyFileStream) => {
        if (name !== part) return refuse(wrong('The form has a file of another name, or of none.'));
        found = bytesOfFile(file, request.headers['content-length']);
        found.catch(refuse);
      })
      .on('filesLimit', () => refuse(wrong('The form has more than one file.')))
      .on('partsLimit', () => refuse(wrong('The form has too many parts.')))
      .on('fieldsLimit', () => refuse(wrong('The form has too many parts.')))
      .on('error', () => refuse(wrong('The form is not complete.')))
      .on('finish', () => {
        if (!found) return refuse(wrong('The form has no file.'));
        found.then((bytes) => settle(() => resolve(bytes)), refuse);
      });
    signal.addEventListener('abort', onAbort);
    raw.on('error', onLost).on('close', onLost).pipe(form);
    // Before anybody listened: a key is looked up first, and a place waited for.
    if (raw.destroyed) onLost();
  });
}

/** Undefined where the headers name no boundary. */
function formOf({ headers }: FastifyRequest) {
  const { 'content-type': contentType = '' } = headers;
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': contentType },
      limits: { ...LIMITS, fileSize: PICTURE_LIMITS.bytes + 1 },
    });
  } catch {
    return undefined;
  }
}
