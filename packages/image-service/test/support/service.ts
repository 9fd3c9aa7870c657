import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  apiError,
  type ErrorBody,
  envelope,
  OPERATIONS,
  redactCredentials,
  type TaskStatusAnswer,
} from '@darkroom/image-api';
import { createVault, type VaultKeys } from '@darkroom/storage';
import { captureLog, until } from '@darkroom/testing';
import { type Clock, systemClock } from '@darkroom/time';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { Engine } from '../../src/engines/engine.ts';
import type { FilePlace } from '../../src/files/file-place.ts';
import { createFolder } from '../../src/files/folder.ts';
import type { Budget } from '../../src/ledger/budget.ts';
import { toMilli } from '../../src/ledger/credits.ts';
import type { Price } from '../../src/ledger/price.ts';
import type { ServiceLimits } from '../../src/limits.ts';
import type { Prometheus } from '../../src/observability/prometheus.ts';
import { createService, type ServiceOptions } from '../../src/service.ts';
import { instantEngine } from './engines.ts';
import { lendTestStorage, type TestStorage } from './storage.ts';

type OperatorChoices = NonNullable<ServiceOptions['operator']>;

export interface ServiceWorldOptions {
  /** Draws whatever it can, before those that the test has besides; paints at once unless given. */
  engine?: Engine;
  /** Draws the workflow rr3. */
  rr3Engine?: Engine;
  /** See `ServiceOptions`. */
  workflows?: OperatorChoices['workflows'];
  /** The system's unless given. */
  clock?: Clock | 'of the database';
  limits?: Partial<ServiceLimits>;
  price?: Price;
  /** See `ServiceOptions`. */
  pictureCost?: number;
  budget?: Budget;
  corsOrigins?: readonly string[];
  /** See `ServiceOptions`. */
  publicBaseUrl?: string;
  prometheus?: Prometheus;
  trustProxy?: NonNullable<ServiceOptions['http']>['trustProxy'];
  /** Credits of the first account; 100 unless given. */
  credits?: number;
  /** Name of the first account; any unless given. */
  username?: string;
  /** See `ServiceOptions`. */
  webhookOrigins?: readonly string[];
  /** Of the vault; one that all worlds share unless given. */
  secretKeys?: VaultKeys;
  /** Where pictures are; a folder of the storage unless given. */
  place?: FilePlace;
  /** What outlives this world, for one that comes after it; its own unless given. */
  storage?: TestStorage;
}

export interface TestAccount {
  id: number;
  username: string;
  loginToken: string;
  key: string;
}

export type ServiceWorld = Awaited<ReturnType<typeof createServiceWorld>>;

/** A service that listens on a free port, with one account that has credits and a key. */
export async function createServiceWorld(options: ServiceWorldOptions = {}) {
  const {
    engine = instantEngine(),
    rr3Engine,
    clock = systemClock,
    credits = 100,
    limits,
    price,
    pictureCost,
    budget,
    webhookOrigins,
    corsOrigins,
    publicBaseUrl,
    prometheus,
    trustProxy,
  } = options;
  const storage = options.storage ?? (await lendTestStorage());
  const { folder, databaseUrl } = storage;
  const { place = createFolder(join(folder, 'pictures')) } = options;
  const { log, lines } = captureLog(redactCredentials);
  const service = await createService({
    storage: { databaseUrl, place, vault: createVault(options.secretKeys ?? ['5'.repeat(64)]) },
    // As there is always the sketch for what no other engine draws.
    engines: [engine, rr3Engine ?? instantEngine()],
    operator: {
      workflows: { ...(rr3Engine && { rr3: { engine: rr3Engine.name } }), ...options.workflows },
      price,
      pictureCost,
      budget,
    },
    http: { webhookOrigins, corsOrigins, publicBaseUrl, trustProxy },
    clock: clock === 'of the database' ? undefined : clock,
    log,
    limits,
    prometheus,
  });
  const { url } = await service.listen({ host: '127.0.0.1', port: 0 });

  /** Another account, with credits, a login token and a key. */
  async function addAccount(amount = 100, name = `account-${randomUUID()}`): Promise<TestAccount> {
    const grant = amount > 0 ? { amount: toMilli(amount) } : undefined;
    const { id, username } = await service.accounts.add(name, grant);
    const loginToken = await service.accounts.issueLoginToken(id);
    return { id, username, loginToken, key: await service.keys.generate(id) };
  }
  const firstAccount = await addAccount(credits, options.username);

  /** Any call: a path with its query, as the first account unless `headers` say otherwise. */
  function call(path: string, init: RequestInit & { json?: unknown } = {}): Promise<Response> {
    const { json, headers, ...rest } = init;
    return fetch(`${url}${path}`, {
      ...rest,
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(headers ? Object.fromEntries(new Headers(headers)) : { 'x-api-key': firstAccount.key }),
      },
    });
  }

  const submit = (body: unknown, key = firstAccount.key) =>
    call('/v1/index.php?endpoint=image_generation', { json: body, headers: { 'x-api-key': key } });

  const status = (taskId: string, key = firstAccount.key) =>
    call(`/v1/index.php?endpoint=task_status&task_id=${taskId}`, { headers: { 'x-api-key': key } });

  return {
    service,
    url,
    folder,
    clock: clock === 'of the database' ? systemClock : clock,
    /** The first account. */
    ...firstAccount,
    /** Every line of the log so far. */
    lines,
    addAccount,
    call,
    submit,
    status,

    /** Submits what must be accepted; returns the task's id. */
    async submitted(body: unknown, key?: string): Promise<string> {
      const answer = await submit(body, key);
      const read: { data: { id: string } | null } = JSON.parse(await answer.text());
      if (!read.data) throw new Error(`refused with ${answer.status}: ${JSON.stringify(read)}`);
      return read.data.id;
    },

    /** Asks again and again until the task is as wanted; finished unless told. */
    async until(
      taskId: string,
      wanted = (task: TaskStatusAnswer): boolean => task.status === 'completed' || task.status === 'failed',
      key?: string,
    ): Promise<TaskStatusAnswer> {
      return until(async () => {
        const task = (await body(await status(taskId, key), envelope(OPERATIONS.status.answer.sent))).data;
        return wanted(task) && task;
      }, `task ${taskId} as wanted`);
    },

    /** In credits. */
    async balance(key = firstAccount.key): Promise<number> {
      const answer = await call('/v1/index.php?endpoint=user_balance', { headers: { 'x-api-key': key } });
      const read: { data: { balance: number } } = JSON.parse(await answer.text());
      return read.data.balance;
    },

    /** Closes the service; storage that was given stays. */
    async close(): Promise<void> {
      await service.close();
      if (options.storage === undefined) await storage.remove();
    },
  };
}

/** A world that closes with the test that builds it. */
export async function serviceWorld(options?: ServiceWorldOptions): Promise<ServiceWorld> {
  const world = await createServiceWorld(options);
  onTestFinished(world.close);
  return world;
}

/** The body of an answer, held against a schema exactly. */
export async function body<Schema extends z.ZodType>(
  answer: Response,
  schema: Schema,
): Promise<z.output<Schema>> {
  return schema.parse(await answer.json());
}

/** The `error` of an answer that refuses, held against the contract exactly. */
export async function problemOf(answer: Response): Promise<ErrorBody> {
  return (await body(answer, apiError.strict())).error;
}
