import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StartedProcess, startCommand } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import type { TestStorage } from './storage.ts';

export interface ServiceProcess extends StartedProcess {
  /** Where it listens, as soon as it does. */
  url(): Promise<string>;
}

/**
 * The service as `npm run service` starts it, on a free port, with its database and files at these storage. Ends with
 * the test.
 */
export function startService(
  { databaseUrl, folder }: TestStorage,
  env: Readonly<Record<string, string>> = {},
  /** A command that runs it. */
  within: readonly string[] = [],
): ServiceProcess {
  const variables = {
    SERVICE_DATABASE_URL: databaseUrl,
    PICTURES_URL: `file://${join(folder, 'pictures')}`,
    SERVICE_PORT: '0',
    SECRET_KEY: '5'.repeat(64),
    ...env,
  };
  const main = [process.execPath, fileURLToPath(new URL('../../dist/main.js', import.meta.url))] as const;
  const [program = main[0], ...args] = [...within, ...main];
  const started = startCommand([program, ...args], variables, { cwd: folder });
  onTestFinished(async () => {
    started.child.kill('SIGKILL');
    await started.ended;
  });
  return {
    ...started,
    async url() {
      await started.says('the image service is listening');
      const url = /"url":"([^"]+)"/.exec(started.output())?.[1];
      if (url === undefined) throw new Error(`it does not say where:\n${started.output()}`);
      return url;
    },
  };
}
