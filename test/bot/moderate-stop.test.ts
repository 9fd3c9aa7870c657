import { expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { run } from '../support/ephemeral-reply.ts';

test('a moderator stops everything that is under way in the server, and nobody else does', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const moderator = world.as(MODERATOR);
  expect((await run(moderator, 'moderate stop')).content).toBe(en.moderate.stopped(0));
  const answers = [
    await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }),
    await moderator.invoke(CHANNEL, 'imagine', { prompt: 'a blue fox' }),
  ];
  await engine.next();
  await world.openCommands();
  expect((await run(world.member, 'moderate stop')).content).toBe(en.refusal.needsModerateMembers);
  expect((await run(moderator, 'moderate stop')).content).toBe(en.moderate.stopped(2));
  for (const answer of answers) {
    if (answer.kind !== 'message') throw new Error(answer.kind);
    await expect.poll(() => world.member.message(answer.message.id)).toBeUndefined();
  }
  await world.reads(en.cancel.byModerator('a red fox', en.cancel.free));
  expect(moderator.messages(CHANNEL).some(({ content }) => content.includes('blue fox'))).toBe(false);
});
