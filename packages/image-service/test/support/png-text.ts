import { crc32 } from 'node:zlib';

/** Where the chunks after `IHDR` begin: a signature of 8 bytes, and a chunk of 25. */
const AFTER_HEADER = 33;

/** A PNG with a text chunk, as the programs that draw write what they were asked for. */
export function withText(png: Buffer, keyword: string, text: string): Buffer {
  const body = Buffer.concat([Buffer.from('tEXt'), Buffer.from(`${keyword}\0${text}`)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}
