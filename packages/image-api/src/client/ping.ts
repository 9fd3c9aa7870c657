import type { Pool } from 'undici';
import { ServiceError } from '../service-error.ts';
import { IGNORED_BYTES, sendRequest } from './http-request.ts';

/**
 * Asks the base address itself, which the interface gives no meaning: whatever it answers, the service is there.
 * Rejects with `ServiceError`: as any call where nothing answers, and as `broken` where a 5xx does, which is what a
 * proxy without its service sends.
 */
export async function ping(
  pool: Pool,
  { path, timeoutMs, signal }: { path: string; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  const what = `GET ${path}`;
  const { status } = await sendRequest({
    dispatcher: pool,
    what,
    timeoutMs,
    signal,
    method: 'GET',
    path,
    headers: {},
    maxBytes: () => IGNORED_BYTES,
  });
  if (status >= 500) throw new ServiceError('broken', `${what} answered ${status}`, { status });
}
