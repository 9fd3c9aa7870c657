import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchBot, startBot } from './bot.ts';
import { type BenchDiscord, startBenchDiscord } from './discord.ts';
import { type LightService, startLightService } from './light-service.ts';

/** A bot with all that it talks to, each in a process of its own. */
export interface World {
  discord: BenchDiscord;
  service: LightService;
  bot: BenchBot;
  /** The bot goes on where it was, in another process; the service forgets the polls so far. */
  restart(): Promise<void>;
}

/** What `measure` finds in a world that is there for it alone. */
export async function inWorld<Found>(
  options: Parameters<typeof startBenchDiscord>[0],
  measure: (world: World) => Promise<Found>,
): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const discord = await startBenchDiscord(options);
  const service = await startLightService();
  const start = () => startBot({ discord, imageUrl: service.origin, folder });
  const world: World = {
    discord,
    service,
    bot: await start(),
    async restart() {
      await world.bot.stop();
      await service.reset();
      world.bot = await start();
    },
  };
  try {
    return await measure(world);
  } finally {
    await Promise.all([world.bot.stop('SIGKILL'), discord.stop(), service.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}
