import type { IncomingMessage } from 'node:http';
import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { UploadedFile } from '../rules/attachments.ts';
import { apiError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';

/** A request's body: JSON, and the files of a multipart body. */
export interface Form {
  body: unknown;
  files: UploadedFile[];
}

/** Reads a body as Discord does. Source: 'Reference', uploading files. */
export async function readForm(request: IncomingMessage, limit: number): Promise<Form> {
  const bytes = await readAll(request, limit);
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('multipart/form-data')) return parseMultipart(bytes, contentType);
  return { body: bytes.length === 0 ? undefined : parseJson(bytes.toString('utf8')), files: [] };
}

/** Reads to the end also when there is too much, so that the sender gets an answer and not a broken connection. */
async function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw apiError(Code.RequestEntityTooLarge);
  return Buffer.concat(chunks);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw apiError(Code.RequestBodyContainsInvalidJSON);
  }
}

async function parseMultipart(bytes: Buffer, contentType: string): Promise<Form> {
  const parts = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch((): never => {
      throw invalidFormBody([], 'MULTIPART_INVALID');
    });
  const fields: Record<string, unknown> = {};
  let body: unknown;
  const files: UploadedFile[] = [];
  for (const [name, part] of parts) {
    if (name === 'payload_json') {
      body = parseJson(typeof part === 'string' ? part : await part.text());
    } else if (typeof part === 'string') {
      fields[name] = fieldValue(name, part);
    } else {
      const n = /^files\[(\d{1,2})\]$/.exec(name)?.[1] ?? /^file(\d?)$/.exec(name)?.[1];
      if (n === undefined) throw invalidFormBody([name], 'BASE_TYPE_INVALID', 'Files are named files[n].');
      files.push({
        n: Number(n),
        name: part.name,
        contentType: part.type,
        bytes: new Uint8Array(await part.arrayBuffer()),
      });
    }
  }
  return { body: body ?? fields, files };
}

/** A field of the message itself, for bodies without `payload_json`: texts, or JSON for what is no text. */
function fieldValue(name: string, text: string): unknown {
  if (name === 'content' || name === 'nonce') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
