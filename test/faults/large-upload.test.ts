import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, hasEnded, MEMBER, sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { measuredBot } from '../support/measured-bot.ts';

/** CPU time of one turn: 16 were measured, 20 are aimed at, and a slow processor is no mistake. */
const LONGEST_MS = 60;

/** A photograph of noise, which no format makes smaller. */
async function photograph(side: number) {
  const raw = { width: side, height: side, channels: 3 as const };
  const bytes = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name: 'noise.png', bytes: new Uint8Array(bytes), contentType: 'image/png' };
}

test.runIf(process.platform === 'linux')(
  'a picture of 8 MiB that a member brings keeps nobody waiting',
  async () => {
    const { discord, bot, turns } = await measuredBot({ engine: editingEngine() });
    const member = discord.as(MEMBER);
    /** Brings it, and waits for what is made of it. */
    async function bring(image: Awaited<ReturnType<typeof photograph>>): Promise<void> {
      const answer = messageOf(
        await member.invoke(CHANNEL, 'imagine', { prompt: 'a cat', size: '64x64', image }),
      );
      const { id } = answer;
      const made = await sees(member, (message) => message.id === id && hasEnded(message));
      expect(made.attachments).toHaveLength(1);
    }
    await bring(await photograph(100));
    const image = await photograph(1_672);
    expect(image.bytes.length).toBeGreaterThan(8 * 1024 ** 2);
    turns.begin(bot);
    await bring(image);
    expect((await bot.end()).code).toBe(0);
    expect(await turns.longestMs()).toBeLessThan(LONGEST_MS);
  },
);
