import { crc32 } from 'node:zlib';

/** Where the chunks after `IHDR` begin: a signature of 8 bytes, and a chunk of 25. */
const AFTER_HEADER = 33;

/** A PNG with a text chunk, as the programs that draw write what they were asked for. */
export const withText = (png: Buffer, keyword: string, text: string): Buffer =>
  withChunks(png, [pngChunk('tEXt', Buffer.from(`${keyword}\0${text}`))]);

/** A PNG with more chunks before its pixels. */
export const withChunks = (png: Buffer, chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, AFTER_HEADER), ...chunks, png.subarray(AFTER_HEADER)]);

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
