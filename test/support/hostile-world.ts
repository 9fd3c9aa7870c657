import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { type BotWorldOptions, botWorld } from './bot.ts';

/** A bot in a world whose image service answers as the test has it. */
export async function hostileWorld(options: Pick<BotWorldOptions, 'operatorKey'>) {
  const service = await createHostileService();
  return { service, world: await botWorld({ ...options, imageUrl: service.baseUrl }) };
}
