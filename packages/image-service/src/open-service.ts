import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Log, portError } from '@darkroom/process';
import { sqlitePath } from '@darkroom/storage';
import { type Clock, systemClock } from '@darkroom/time';
import { DEFAULT_FILE, type ServiceConfig } from './config.ts';
import { openEngines } from './engines/open-engines.ts';
import { openPlace } from './files/open-place.ts';
import { awaitPlace } from './files/place-proof.ts';
import { createPrice } from './ledger/price.ts';
import type { Prometheus } from './observability/prometheus.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';
import { openStorage } from './storage.ts';
import { pricesIn } from './workflows/workflow-settings.ts';

/** How long the sketch engine takes for a picture, so that a caller sees it develop. */
const PACE_MS = 3_000;

interface Surroundings {
  log: Log;
  /** The system's for engines, and the database's for whatever is stored, unless given. */
  clock?: Clock;
  /** Milliseconds that the sketch engine takes for a picture; 3 s unless given. */
  paceMs?: number;
  limits?: ServiceOptions['limits'];
  /** Ends the waits for a database and a place for pictures that are away. */
  signal?: AbortSignal | undefined;
}

/**
 * Opens the service that `config` describes, and listens. Throws `OperatorError` for what its operator can put right.
 * Where it does not start, nothing stays open.
 */
export async function openService(
  config: ServiceConfig,
  surroundings: Surroundings,
): Promise<{ service: Service; url: string }> {
  const service = await composeService(config, surroundings);
  try {
    await warnOfAnother(service, config, surroundings.log);
    const { url } = await service.listen({ host: config.SERVICE_HOST, port: config.SERVICE_PORT });
    return { service, url };
  } catch (error) {
    await service.close();
    throw portError(error, { host: 'SERVICE_HOST', port: 'SERVICE_PORT' }, config.SERVICE_PORT);
  }
}

/** Of accounts that are elsewhere: nothing is taken over from one database to another. */
async function warnOfAnother(
  { accounts }: Service,
  { SERVICE_DATABASE_URL: url }: ServiceConfig,
  log: Log,
): Promise<void> {
  if (sqlitePath(url) !== undefined || !existsSync(DEFAULT_FILE)) return;
  if ((await accounts.list()).length > 0) return;
  log.warn(
    { file: resolve(DEFAULT_FILE) },
    'the database of SERVICE_DATABASE_URL has no accounts, and takes none over from this file: leave that setting out to go on with them',
  );
}

async function composeService(
  config: ServiceConfig,
  { log, clock, paceMs = PACE_MS, limits, signal }: Surroundings,
): Promise<Service> {
  const { databaseUrl, pictures, vault } = await openStorage(config);
  const { SERVICE_WORKFLOWS: workflows = {} } = config;
  if (sqlitePath(databaseUrl) === undefined) {
    const { awaitPostgres } = await import('@darkroom/storage/postgres');
    await awaitPostgres(databaseUrl, { log, signal });
  }
  const prometheus = config.SERVICE_METRICS === 'on' ? await countForPrometheus() : undefined;
  const place = await openPlace(pictures);
  const engines = await awaitPlace(place, { log, signal })
    .then(() => openEngines(config, { clock: clock ?? systemClock, log, paceMs }))
    .catch((error: unknown) => {
      place.close();
      throw error;
    });
  return createService({
    storage: { databaseUrl, place, vault },
    engines,
    operator: {
      workflows,
      price: createPrice({ ...config.SERVICE_PRICES, ...pricesIn(workflows) }),
      pictureCost: config.HOSTED_COST,
      budget: config.SERVICE_BUDGET,
    },
    http: {
      publicBaseUrl: config.PUBLIC_BASE_URL,
      webhookOrigins: config.SERVICE_WEBHOOK_ORIGINS,
      corsOrigins: config.SERVICE_CORS_ORIGINS,
      trustProxy: config.TRUST_PROXY,
    },
    prometheus,
    limits,
    clock,
    log,
  });
}

/** What counts is loaded only where it does. */
async function countForPrometheus(): Promise<Prometheus> {
  const { createPrometheus } = await import('./observability/prometheus.ts');
  return createPrometheus();
}
