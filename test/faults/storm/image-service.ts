import { envelope } from '../../../src/contract/envelope.ts';
import { taskStatus } from '../../../src/contract/task.ts';
import type { Engine } from '../../../src/service/engines/engine.ts';
import { createPremises } from '../../support/premises.ts';
import { body, createServiceWorld, type ServiceWorld } from '../../support/service.ts';

export type ImageService = Awaited<ReturnType<typeof startImageService>>;

/** The image service, on premises that outlive its restarts. */
export async function startImageService(engine: Engine) {
  const premises = await createPremises();
  const open = () =>
    createServiceWorld({
      engine,
      premises,
      credits: 1_000_000,
      limits: { perMinute: 1_000_000, waiting: 1_000_000, running: 50, slots: 16 },
    });
  let world: ServiceWorld | undefined = await open();
  const { key } = world;

  async function stop(): Promise<void> {
    const stopped = world;
    world = undefined;
    await stopped?.close();
  }

  return {
    key,
    /** Another one after each start; undefined while it is stopped. */
    url: () => world?.url,
    stop,
    async start(): Promise<void> {
      world = await open();
    },
    /** What the service itself says of a task: its state. */
    async stateOf(taskId: string): Promise<string> {
      if (!world) throw new Error('the image service is stopped');
      return (await body(await world.status(taskId, key), envelope(taskStatus))).data.status;
    },
    async close(): Promise<void> {
      await stop();
      await premises.remove();
    },
  };
}
