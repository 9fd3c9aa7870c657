import { constants, deflateRawSync } from 'node:zlib';
import type { WebSocket } from 'ws';

/** The header of a zlib stream of the usual window and level. */
const HEADER = Buffer.from([0x78, 0x9c]);

/**
 * A socket that sends as one zlib stream. Every message is compressed by itself and flushed: to the other end that is
 * one stream all the same, only a little longer. Source: 'Gateway', transport compression.
 */
export function compressTransport(socket: WebSocket): void {
  const send = socket.send.bind(socket);
  let started = false;
  socket.send = (text: string) => {
    const block = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    send(started ? block : Buffer.concat([HEADER, block]));
    started = true;
  };
}
