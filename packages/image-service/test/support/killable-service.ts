import { randomInt } from 'node:crypto';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { loadServiceConfig } from '../../src/config.ts';
import { ALL_ABILITIES, DrawingError, type Engine } from '../../src/engines/engine.ts';
import { openEngines } from '../../src/engines/open-engines.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createService } from '../../src/service.ts';
import { paint } from './engines.ts';

/**
 * A service in a process of its own, for tests that kill it. Prints its address once it listens. The environment sets
 * up engines, as that of a service does; what they leave is drawn by one that is hasty and fails now and then.
 */
const [databaseUrl, filesFolder] = process.argv.slice(2);
if (!databaseUrl || !filesFolder) throw new Error('usage: killable-service DATABASE_URL FILES_FOLDER');

const hasty: Engine = {
  name: 'hasty',
  abilities: () => ALL_ABILITIES,
  async draw(drawing, { signal, onProgress }) {
    await systemClock.sleep(randomInt(40), signal);
    onProgress({ percent: 50, preview: (await paint({ width: 8, height: 8 })).bytes });
    await systemClock.sleep(randomInt(40), signal);
    if (randomInt(10) === 0) throw new DrawingError('the brush broke');
    return paint(drawing);
  },
  close: async () => {},
};

const log = silentLog();
const config = loadServiceConfig(process.env);
const engines = await openEngines(config, { clock: systemClock, log, paceMs: 0 });
const service = await createService({
  storage: { databaseUrl, place: createFolder(filesFolder), vault: createVault(['5'.repeat(64)]) },
  engines: [...engines.filter(({ name }) => name !== 'sketch'), hasty],
  operator: { pictureCost: config.HOSTED_COST },
  clock: systemClock,
  log,
  http: { webhookOrigins: process.env.WEBHOOK_ORIGINS?.split(',') },
  limits: {
    leaseMs: 500,
    webhookLeaseMs: 500,
    attempts: 3,
    slots: 4,
    running: 100,
    waiting: 100_000,
    perMinute: 1_000_000,
  },
});
const { url } = await service.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${url}\n`);
