import { appendFileSync } from 'node:fs';
import { redactCredentials } from '@darkroom/image-api';
import { createLog, runUntilSignal } from '@darkroom/process';
import { createVault } from '@darkroom/storage';
import { systemClock } from '@darkroom/time';
import { ALL_ABILITIES, DrawingError, type Engine } from '../../src/engines/engine.ts';
import type { FilePlace } from '../../src/files/file-place.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createService } from '../../src/service.ts';
import { ALL_OPERATIONS, inputsOf, paint } from '../support/engines.ts';
import { type Drawn, LEASE_MS, type Order, type ServiceArguments, trueTime } from './protocol.ts';

/** One process of the service under test. Its clock leaps and its disk is full when it is told so. */
const { databaseUrl, folder, record, secretKeys, webhookOrigin }: ServiceArguments = JSON.parse(
  process.argv[2] ?? '{}',
);

let aheadMs = 0;
let full = false;
const now = Date.now;
Date.now = () => now() + aheadMs;
process.on('message', (order: Order) => {
  if (order.kind === 'leap') aheadMs += order.ms;
  else full = order.full;
});
// The run has ended without it.
process.on('disconnect', () => process.exit(1));

const write = (what: Drawn['what'], taskId: string) =>
  appendFileSync(record, `${JSON.stringify({ what, taskId, at: trueTime() } satisfies Drawn)}\n`);

const engine: Engine = {
  name: 'chaos',
  abilities: () => ALL_ABILITIES,
  operations: async () => ALL_OPERATIONS,
  async draw(drawing, { signal, onProgress, readInput }) {
    const { taskId, seed } = drawing;
    write('begun', taskId);
    signal.addEventListener('abort', () => signal.reason === 'unheld' && write('lost', taskId), {
      once: true,
    });
    for (const picture of inputsOf(drawing)) await readInput(picture);
    await systemClock.sleep(50 + (seed % 200), signal);
    onProgress({ percent: 50, preview: (await paint({ width: 8, height: 8 })).bytes });
    await systemClock.sleep(50 + (seed % 300), signal);
    if (seed % 15 === 0) throw new DrawingError('the brush broke');
    return paint(drawing);
  },
  close: async () => {},
};

const onDisk = createFolder(folder);
const place: FilePlace = {
  ...onDisk,
  probeMs: 250,
  async write(...call) {
    if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await onDisk.write(...call);
  },
};

await runUntilSignal(async () => {
  const service = await createService({
    storage: { databaseUrl, place, vault: createVault(secretKeys) },
    engines: [engine],
    log: createLog({ level: 'warn', scrub: redactCredentials }),
    http: { webhookOrigins: [webhookOrigin] },
    limits: {
      leaseMs: LEASE_MS,
      webhookLeaseMs: 2 * LEASE_MS,
      slots: 4,
      running: 100,
      waiting: 100_000,
      perMinute: 1_000_000,
    },
  });
  const { url } = await service.listen({ host: '127.0.0.1', port: 0 });
  process.send?.(url);
  return service.close;
});
