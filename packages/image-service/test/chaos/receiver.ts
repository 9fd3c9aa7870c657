import { createServer } from 'node:http';
import { listen } from '@darkroom/testing';

/** A receiver of webhooks that takes what it is sent. */
export async function createReceiver() {
  const told = new Set<string>();
  const server = createServer((request, response) => {
    told.add(`${request.headers['webhook-id']}`.replace('msg_', ''));
    request.resume();
    response.end();
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    /** The ids of the tasks whose end has come. */
    told,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
