import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openService } from '../../src/service/open-service.ts';
import { listen } from '../support/listen.ts';
import { premises } from '../support/premises.ts';

async function open(env: NodeJS.ProcessEnv) {
  const { databaseUrl } = await premises();
  const config = loadConfig({ SERVICE_DATABASE_URL: databaseUrl, SECRET_KEY: '5'.repeat(64), ...env });
  return openService(config, createLog({ level: 'silent' }));
}

test('a port that is taken is said to be', async () => {
  const other = createServer();
  const port = await listen(other);
  onTestFinished(() => void other.close());
  await expect(open({ SERVICE_PORT: `${port}` })).rejects.toThrow(
    `Port ${port} is taken. Set SERVICE_PORT to another one.`,
  );
});

test.each(['192.0.2.1', 'nowhere.invalid'])(
  '%s, which is not of this machine, is said not to be',
  async (host) => {
    await expect(open({ SERVICE_HOST: host, SERVICE_PORT: '0' })).rejects.toThrow(
      'SERVICE_HOST is not an address of this machine.',
    );
  },
);
