import { randomUUID } from 'node:crypto';

/** What a request sends, and of which media type. */
export interface RequestBody {
  type: string;
  content: Uint8Array | string;
}

export const jsonBody = (body: object | null | undefined): RequestBody | undefined =>
  body ? { type: 'application/json', content: JSON.stringify(body) } : undefined;

/** A form with one file. Written here, because `FormData` and `Blob` copy it several times, and this does once. */
export function formBody(part: string, file: Uint8Array): RequestBody {
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${part}"; filename="${part}"\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
