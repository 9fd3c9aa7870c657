import { onTestFinished } from 'vitest';
import { createImageClient, type ImageClientOptions } from '../../src/client/client.ts';
import { createFakeClock } from './clock.ts';
import { createHostileService } from './hostile-service.ts';

/** A client, the hostile service it talks to, and a clock that jumps; all closed when the test is finished. */
export async function createClientWorld(options: Partial<ImageClientOptions> = {}) {
  const service = await createHostileService();
  const clock = createFakeClock({ jumps: true });
  const client = createImageClient({ baseUrl: service.baseUrl, clock, random: () => 0.5, ...options });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return { service, clock, client };
}

/** What `promise` rejects with. Throws when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error('expected a rejection');
  return outcome.error;
}
