import Fastify from 'fastify';
import type { BenchDatabase } from './service-database.ts';

/** Fastify routes that do the least for a poll (`GET /task?id=…`) and for a submission (`POST /task`). */
export async function startBareService(database: BenchDatabase) {
  const bare = await database.bare();
  const app = Fastify();
  app.get<{ Querystring: { id: string } }>('/task', async ({ query }) => bare.read(query.id));
  app.post('/task', async ({ body }) => ({ id: await bare.insert(JSON.stringify(body)) }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await app.close();
      await bare.close();
    },
  };
}
