import { loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { runUntilSignal } from '../signals.ts';
import { openService } from './open-service.ts';

/** Runs the service until the process is told to stop. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(env);
  const log = createLog({ level: config.LOG_LEVEL });
  await runUntilSignal(async () => {
    const { service, url } = await openService(config, log);
    log.info({ url }, 'the image service is listening');
    return service.close;
  });
}
