import { onTestFinished } from 'vitest';
import type { StartOptions } from '../../src/start.ts';
import { startLocalDiscord, type TestDiscord } from './local-discord.ts';

/** As `startLocalDiscord`, until the test ends. */
export async function openLocalDiscord(options: StartOptions = {}): Promise<TestDiscord> {
  const world = await startLocalDiscord(options);
  onTestFinished(world.close);
  return world;
}
