import { type Check, createReadiness, type Log } from '@darkroom/process';
import { listenHttp } from './http-server.ts';
import type { Readings } from './metrics.ts';
import { createPrometheus } from './prometheus.ts';

export type Observability = ReturnType<typeof openObservability>;

/** How the bot is seen from outside. Imported only where `HTTP_PORT` is set. */
export function openObservability({ host, port, log }: { host: string; port: number; log: Log }) {
  const { metrics, text, contentType } = createPrometheus();
  return {
    /** Takes in what the bot tells of its work. */
    metrics,
    /**
     * Opens `/healthz`, `/readyz` and `/metrics`. Rejects with a sentence for the operator where the port is not to be
     * had. `checks`: by name.
     */
    async listen({
      readings,
      checks,
    }: {
      readings(): Readings;
      checks: Readonly<Record<string, Check>> & { store: Check };
    }) {
      const readiness = createReadiness(checks, { log });
      const server = await listenHttp({
        host,
        port,
        log,
        routes: {
          '/healthz': () => json(200, { alive: true }),
          '/readyz': async () => {
            const { ready, ...found } = await readiness();
            return json(ready ? 200 : 503, { ready, ...found });
          },
          '/metrics': async () => {
            // Its write is counted, also while nobody asks for a picture.
            await readiness('store');
            return { status: 200, contentType, body: await text(readings()) };
          },
        },
      });
      log.info({ url: server.url }, 'health and metrics are served');
      return server;
    },
  };
}

const json = (status: number, body: object) => ({
  status,
  contentType: 'application/json',
  body: `${JSON.stringify(body)}\n`,
});
