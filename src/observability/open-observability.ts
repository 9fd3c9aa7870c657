import { type Check, createReadiness, type Log } from '@darkroom/process';
import { type HttpServer, listenHttp } from './http-server.ts';
import type { Metrics, Readings } from './metrics.ts';
import { createPrometheus } from './prometheus.ts';

export interface Observability {
  /** Takes in what the bot tells of its work. */
  metrics: Metrics;
  /**
   * Opens `/healthz`, `/readyz` and `/metrics`. Rejects with a sentence for the operator where the port is not to be
   * had.
   */
  listen(bot: {
    readings(): Readings;
    /** By name. */
    checks: Readonly<Record<string, Check>>;
  }): Promise<HttpServer>;
}

/** How the bot is seen from outside. Imported only where `HTTP_PORT` is set. */
export function openObservability({
  host,
  port,
  log,
}: {
  host: string;
  port: number;
  log: Log;
}): Observability {
  const { metrics, text, contentType } = createPrometheus();
  return {
    metrics,
    async listen({ readings, checks }) {
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
          '/metrics': async () => ({ status: 200, contentType, body: await text(readings()) }),
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
