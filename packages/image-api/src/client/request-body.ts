import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

/** What a request sends, and of which media type; `length` in bytes, where the content does not say. */
interface RequestBody {
  type: string;
  content: Readable | string;
  length?: number;
}

export const jsonBody = (body: object | null | undefined): RequestBody | undefined =>
  body ? { type: 'application/json', content: JSON.stringify(body) } : undefined;

/** A form with one file. Written here, because `FormData` and `Blob` copy it several times, and this does not. */
export function formBody(part: string, file: Uint8Array): RequestBody {
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${part}"; filename="${part}"\r\n\r\n`;
  const parts = [Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: Readable.from(parts),
    length: parts.reduce((sum, { length }) => sum + length, 0),
  };
}
