import { join } from 'node:path';
import { ALL_ABILITIES, createFolder, createService } from '@darkroom/image-service';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import type { BenchDatabase } from './service-database.ts';

/** So many that nobody reaches it. */
export const NO_LIMIT = 1_000_000_000;
const PROMPT = { prompt: 'a red fox in the snow' };
export const SUBMIT_PATH = '/v1/index.php?endpoint=image_generation';
export const SUBMISSION = { body: JSON.stringify(PROMPT), type: { 'content-type': 'application/json' } };
export const statusPath = (id: string) => `/v1/index.php?endpoint=task_status&task_id=${id}`;

/** The headers that an account's requests have. */
export type AccountHeaders = Record<string, string>;

/**
 * An image service in this process that draws nothing: a drawing that was begun lasts until the service is closed.
 */
export async function startBenchService(
  { folder, url: databaseUrl }: BenchDatabase,
  {
    accounts: numberOfAccounts = 0,
    tasks: numberOfTasks = 0,
    webhooks = [],
    limits,
    onDraw = () => {},
  }: {
    /** How many are made, and how many tasks they submit in turn. */
    accounts?: number;
    tasks?: number;
    /** Origins to which their ends are sent, in turn. */
    webhooks?: readonly string[];
    limits: NonNullable<Parameters<typeof createService>[0]['limits']>;
    onDraw?: () => void;
  },
) {
  const service = await createService({
    storage: {
      databaseUrl,
      place: createFolder(join(folder, 'pictures')),
      vault: createVault(['0'.repeat(64)]),
    },
    engines: [
      {
        name: 'none',
        abilities: () => ALL_ABILITIES,
        operations: async () => ({ edit: { images: 1, mask: false, strength: true } }),
        draw() {
          onDraw();
          return new Promise(() => {});
        },
        close: async () => {},
      },
    ],
    clock: systemClock,
    log: silentLog(),
    // All callers here have one address.
    limits: { connections: NO_LIMIT, connectionsOfAddress: NO_LIMIT, ...limits },
    http: { webhookOrigins: webhooks },
  });
  const { url } = await service.listen({ host: '127.0.0.1', port: 0 });
  const accounts: AccountHeaders[] = [];
  for (let account = 0; account < numberOfAccounts; account++) {
    const { id } = await service.accounts.add(`bench${account}`);
    await service.ledger.grant({ accountId: id, amount: NO_LIMIT });
    accounts.push({ 'x-api-key': await service.keys.generate(id) });
  }
  const tasks: { id: string; headers: AccountHeaders }[] = [];
  for (let task = 0; task < numberOfTasks; task++) {
    const headers = accounts[task % accounts.length] ?? {};
    const { payload } = await service.app.inject({
      method: 'POST',
      url: SUBMIT_PATH,
      headers,
      payload: { ...PROMPT, webhook: webhooks[task % webhooks.length] },
    });
    tasks.push({ id: JSON.parse(payload).data.id, headers });
  }
  return { url, accounts, tasks, close: service.close };
}
