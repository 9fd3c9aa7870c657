import { once } from 'node:events';
import { createServer } from 'node:http';
import { createImageClient } from '@darkroom/image-api';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createPictureFetcher } from '../../src/engines/horde/alchemy.ts';
import { createGuardedAgent } from '../../src/outbound/guarded-agent.ts';
import { pngOf } from '../support/brought-pictures.ts';

const callers = {
  async webhook(origin: string) {
    const agent = createGuardedAgent({ trustedOrigins: [origin], connectTimeoutMs: 5_000 });
    onTestFinished(agent.close);
    const { body } = await agent.request(new URL(origin), { method: 'POST' });
    await body.dump();
  },
  async 'picture of an alchemist'(origin: string) {
    const fetcher = createPictureFetcher(origin);
    onTestFinished(fetcher.close);
    await fetcher.fetch(origin, new AbortController().signal);
  },
  async 'picture of a service'(origin: string) {
    const client = createImageClient({ baseUrl: origin });
    onTestFinished(client.close);
    await client.download(origin);
  },
};

test.each(Object.entries(callers))(
  'the connection of a %s is not held for as long as the other side asks',
  async (_, call) => {
    const png = await pngOf(64, 64);
    const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => void response.end(png));
    const origin = `http://127.0.0.1:${await listen(server)}`;
    onTestFinished(() => void server.close());
    const connected = once(server, 'connection');
    await call(origin);
    const [connection] = await connected;
    await expect.poll(() => connection.destroyed).toBe(true);
  },
);
