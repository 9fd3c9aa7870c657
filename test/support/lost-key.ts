import { expect } from 'vitest';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import type { BotWorld } from './bot.ts';
import { fillIn, run, settled } from './ephemeral-reply.ts';

/** Links a key of the member that the service accepts no longer, which is noticed before this resolves. */
export async function linkLostKey({ member, service }: BotWorld): Promise<void> {
  const { key } = await service.addAccount();
  await settled(await fillIn(member, await member.invoke(CHANNEL, 'apikey link'), key), member);
  const headers = { 'x-api-key': key };
  await service.call('/api.php?action=revoke_api_key', { json: { api_key: key }, headers });
  await run(member, 'balance');
  await expect.poll(async () => (await run(member, 'apikey show')).content).toContain('no longer accepts it');
}
