import { envelope, OPERATIONS } from '@darkroom/image-api';
import type { Engine } from '@darkroom/image-service';
import {
  body,
  createServiceWorld,
  type ServiceWorld,
} from '../../packages/image-service/test/support/service.ts';
import { createTestStorage } from '../../packages/image-service/test/support/storage.ts';
import type { Payer } from '../../src/credentials/key-owner.ts';

/** Of each account. */
const CREDITS = 1_000_000;

export type ImageService = Awaited<ReturnType<typeof startImageService>>;

/** The image service, which can be stopped and started again on the same database and files. */
export async function startImageService(engine: Engine) {
  const storage = await createTestStorage();
  const open = () =>
    createServiceWorld({
      engine,
      storage,
      credits: CREDITS,
      limits: { perMinute: 1_000_000, waiting: 1_000_000, running: 50, slots: 16 },
    });
  let world: ServiceWorld | undefined = await open();
  const { key } = world;
  const { key: linkedKey } = await world.addAccount(CREDITS);

  async function stop(): Promise<void> {
    const stopped = world;
    world = undefined;
    await stopped?.close();
  }

  return {
    key,
    /** Of another account, which pays for members who link it, and for the first server. */
    linkedKey,
    /** Another one after each start; `undefined` while it is stopped. */
    url: () => world?.url,
    stop,
    async start(): Promise<void> {
      world = await open();
    },
    /** What the account of a key has spent, in credits. */
    async spent(key: string): Promise<number> {
      if (!world) throw new Error('the image service is stopped');
      return CREDITS - (await world.balance(key));
    },
    /** The status of a task. */
    async stateOf(taskId: string, payer: Payer['kind']): Promise<string> {
      if (!world) throw new Error('the image service is stopped');
      const answer = await world.status(taskId, payer === 'operator' ? key : linkedKey);
      return (await body(answer, envelope(OPERATIONS.status.answer.sent))).data.status;
    },
    async close(): Promise<void> {
      await stop();
      await storage.remove();
    },
  };
}
