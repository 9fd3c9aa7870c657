import type { createReadiness } from '@darkroom/process';
import type { FastifyPluginAsync } from 'fastify';

/** What the service shows of itself to whoever runs it: numbers, names of checks and sentences of ours. */
export interface ProbeRoutes {
  readiness: ReturnType<typeof createReadiness>;
  /** The text for Prometheus; undefined where nobody counts. */
  metricsPage: { contentType: string; text(): Promise<string> } | undefined;
}

const HIDDEN = { schema: { hide: true } };

/** Whether the process is alive, whether the service is ready, and its metrics. Without a key. */
export const probeRoutes: FastifyPluginAsync<ProbeRoutes> = async (app, { readiness, metricsPage }) => {
  app.get('/healthz', HIDDEN, async () => ({ alive: true }));

  app.get('/readyz', HIDDEN, async (_, reply) => {
    const found = await readiness();
    return reply.code(found.ready ? 200 : 503).send(found);
  });

  if (metricsPage) {
    app.get('/metrics', HIDDEN, async (_, reply) =>
      reply.type(metricsPage.contentType).send(await metricsPage.text()),
    );
  }
};
