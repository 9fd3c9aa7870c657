import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../../src/local-discord/hand/refusal.ts';
import type { LocalDiscord } from '../../../src/local-discord/local-discord.ts';
import { BOT } from '../../support/local-discord.ts';
import type { Asked } from './inspection.ts';
import { createRandom } from './random.ts';

/** People who ask for pictures again and again, here and there, and who delete some of the replies. */
export function createCrowd(
  discord: LocalDiscord,
  people: readonly string[],
  channels: readonly [string, ...string[]],
  seed: number,
) {
  const asked: Asked[] = [];
  const deleted = new Set<string>();
  let over = false;

  async function keepAsking(userId: string): Promise<void> {
    const random = createRandom(seed + Number(userId.slice(-3)));
    const hand = discord.as(userId);
    const conversation = hand.openDirectMessage(BOT).id;
    while (!over) {
      await delay(random.between(50, 500));
      const isPrivate = random.chance(0.2);
      const options = {
        prompt: `fox ${asked.length}`,
        size: '64x64',
        count: random.between(1, 3),
        private: isPrivate,
      };
      const channelId = random.pick([...channels, conversation] as [string, ...string[]]);
      try {
        const answer = await hand.invoke(channelId, 'imagine', options);
        asked.push({ userId, answer });
        if (answer.kind !== 'message' || isPrivate || !random.chance(0.25)) continue;
        await delay(random.between(0, 400));
        if (!hand.message(answer.message.id)) continue;
        deleted.add(answer.message.id);
        discord.world.deleteMessage(answer.message.id);
      } catch (error) {
        // Nothing was sent: no bot is there just now.
        if (!(error instanceof Refusal)) throw error;
      }
    }
  }

  const gone = Promise.all(people.map(keepAsking));
  return {
    asked,
    /** Messages that somebody has deleted. */
    deleted,
    /** Nobody asks any more; resolves when every answer has come. */
    async goHome(): Promise<void> {
      over = true;
      await gone;
    },
  };
}
