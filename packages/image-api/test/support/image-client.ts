import { createFakeClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import { createImageClient, type ImageClientOptions } from '../../src/client/client.ts';
import { createHostileService } from './hostile-service.ts';

/** For a client that is to leave a silent service: long enough for a request to arrive on a slow machine. */
export const IMPATIENT = { timeoutMs: 2_000 };

/** A client, the hostile service it talks to, and a clock that jumps; all closed when the test is finished. */
export async function createClientWorld(options: Partial<ImageClientOptions> = {}) {
  const service = await createHostileService();
  const clock = createFakeClock({ jumps: true });
  const client = createImageClient({ baseUrl: service.baseUrl, clock, random: () => 0.5, ...options });
  onTestFinished(client.close);
  return { service, clock, client };
}
