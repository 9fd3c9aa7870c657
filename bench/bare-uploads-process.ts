import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from './forked.ts';

/** The least that can take an upload: it is read, and that is all. Answers with its origin. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

// An address of a server that listens on a port is of this kind.
const { port } = server.address() as AddressInfo;
answerQuestions(() => `http://127.0.0.1:${port}`);
