import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { captureLog, createFastClock } from '@darkroom/testing';
import type { Clock } from '@darkroom/time';
import type { Engine } from '../../packages/image-service/src/engines/engine.ts';
import { createFolder } from '../../packages/image-service/src/files/folder.ts';
import { runCommand } from '../../packages/image-service/src/operator/command-line.ts';
import { createService } from '../../packages/image-service/src/service.ts';
import { instantEngine } from '../../packages/image-service/test/support/engines.ts';
import { secrets } from './fixture.ts';

export const MINUTE = 60_000;

/** Ten times as fast as the machine's, and `ms` after 0.1.0 was stopped: a minute later nothing has expired yet. */
export const clockAfter = (ms: number) =>
  createFastClock({ origin: { real: Date.now(), time: secrets.left + ms } });

/** The present version of the image service, on what 0.1.0 left in `folder`. */
export async function startService(
  folder: string,
  { clock = clockAfter(MINUTE), engine = instantEngine() }: { clock?: Clock; engine?: Engine } = {},
) {
  const { log } = captureLog();
  const service = await createService({
    databaseUrl: `sqlite://${join(folder, 'service.sqlite')}`,
    place: createFolder(join(folder, 'pictures')),
    vault: createVault(secrets.vaultKeys.service),
    engine,
    clock,
    log,
  });
  const { url } = await service.listen({ host: '127.0.0.1', port: 0 });

  /** Any call; a POST where there is a body. */
  async function call(
    path: string,
    { key, body, idempotencyKey }: { key?: string; body?: unknown; idempotencyKey?: string } = {},
  ) {
    const answer = await fetch(`${url}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  return {
    url,
    call,
    close: () => service.close(),

    submit: (body: unknown, key: string, idempotencyKey?: string) =>
      call('/v1/index.php?endpoint=image_generation', {
        key,
        body,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),

    /** A task as the service tells it to whoever owns it. */
    task: async ({ taskId, key }: { taskId: string; key: string }) =>
      (await call(`/v1/index.php?endpoint=task_status&task_id=${taskId}`, { key })).body.data,

    /** Status and credits of a key; no credits where it is refused. */
    async balance(key: string): Promise<{ status: number; credits?: number }> {
      const { status, body } = await call('/v1/index.php?endpoint=user_balance', { key });
      return { status, credits: body.data?.balance };
    },
  };
}

/** What the operator types on what is in `folder`, and what is printed. */
export const operator = (folder: string, ...args: string[]) =>
  runCommand(args, {
    SERVICE_DATABASE_URL: `sqlite://${join(folder, 'service.sqlite')}`,
    SECRET_KEY: secrets.vaultKeys.service[0],
  });
