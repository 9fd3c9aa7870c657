import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const HEADER_BYTES = 12;
const [TYPE_A, ANSWER_FLAGS] = [1, 0x8180];

/**
 * A name server on this machine: every name stands for `address`; without one it never answers. Closes with the test.
 */
export async function nameServer(address?: string): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    if (address !== undefined) socket.send(answerTo(query, address), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** RFC 1035, section 4. */
function answerTo(query: Buffer, address: string): Buffer {
  const typeAt = query.indexOf(0, HEADER_BYTES) + 1;
  const records = query.readUInt16BE(typeAt) === TYPE_A ? 1 : 0;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWER_FLAGS, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records, 6);
  // The name of the question, type A, class IN, 60 s, 4 bytes.
  const record = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([
    header,
    query.subarray(HEADER_BYTES, typeAt + 4),
    Buffer.from(records === 1 ? record : []),
  ]);
}
