import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import { configureService } from './configure.ts';
import { createService, type Service } from './service.ts';
import { openStorage } from './storage.ts';

/** How long the sketch engine takes for a picture, so that a caller sees it develop. */
const PACE_MS = 3_000;

/** The service as the configuration describes it, listening. Throws `UserError` for what its operator can put right. */
export async function openService(config: Config, log: Log): Promise<{ service: Service; url: string }> {
  const service = await createService({
    ...(await openStorage(config)),
    ...configureService(config, { clock: systemClock, log, paceMs: PACE_MS }),
  });
  try {
    const { url } = await service.listen({ host: config.SERVICE_HOST, port: config.SERVICE_PORT });
    return { service, url };
  } catch (error) {
    await service.close();
    throw explainPort(error, config.SERVICE_PORT);
  }
}

function explainPort(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new UserError(`Port ${port} is taken. Set SERVICE_PORT to another one.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UserError(
      'SERVICE_HOST is not an address of this machine. Set it to one, or to 0.0.0.0 for all of them.',
    );
  if (code === 'EACCES')
    return new UserError(`Port ${port} may not be used. Set SERVICE_PORT to one above 1023.`);
  return error;
}
