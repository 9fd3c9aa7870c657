import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedAgent } from '../../src/outbound/guarded-agent.ts';

test('a connection is not held for as long as whoever was called asks', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => void response.end());
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const agent = createGuardedAgent({ trustedOrigins: [origin], connectTimeoutMs: 5_000 });
  onTestFinished(async () => {
    await agent.close();
    server.close();
  });
  const connected = once(server, 'connection');
  const { headers, body } = await agent.request(new URL(origin), { method: 'POST', headers: {} });
  await body.dump();
  expect(headers['keep-alive']).toBe('timeout=600');
  const [connection] = await connected;
  await expect.poll(() => connection.destroyed).toBe(true);
});
