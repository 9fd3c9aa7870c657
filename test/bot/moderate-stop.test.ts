import { expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { calls, oneCall, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
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

test('what a member has under way is stopped when they are blocked, and what others have is drawn', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const moderator = world.as(MODERATOR);
  const stopped = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
  const drawn = messageOf(await moderator.invoke(CHANNEL, 'imagine', { prompt: 'a blue fox' }));
  await expect.poll(() => engine.begun).toHaveLength(2);
  const blocked = await run(moderator, 'moderate block', { member: MEMBER });
  expect(blocked.content).toContain(en.moderate.stopped(1));
  await expect.poll(() => world.member.message(stopped.id)).toBeUndefined();
  await world.reads(en.cancel.byModerator('a red fox', en.cancel.free));
  await engine.finishAll();
  expect((await world.ended(drawn.id, moderator)).attachments).toHaveLength(1);
});

test('what its member has no first answer to yet is stopped, too', async () => {
  const world = await botWorld({ service: { engine: controlledEngine() } });
  const moderator = world.as(MODERATOR);
  world.discord.faults.add({ next: oneCall.callback, effect: 'hang' });
  const asking = world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  await expect.poll(() => world.discord.requests.list(calls.callback).length).toBeGreaterThan(0);
  expect((await run(moderator, 'moderate stop')).content).toBe(en.moderate.stopped(1));
  const answer = messageOf(await asking);
  await expect.poll(() => world.member.message(answer.id)).toBeUndefined();
  await world.reads(en.cancel.byModerator('a red fox', en.cancel.free));
  expect(await world.pictures()).toEqual([]);
});

test('what is stopped before its reply says anything is told to its member alone, and stays told', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const moderator = world.as(MODERATOR);
  // Of this reply alone: the moderator's own is answered.
  let reply: string | undefined;
  const isOfReply = (call: { method: string; path: string }) => {
    if (calls.reply(call)) reply ??= call.path;
    return calls.reply(call) && call.path === reply;
  };
  world.discord.faults.add({ every: isOfReply, effect: refusal(500, 0) });
  const answer = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
  await engine.next();
  await expect.poll(() => reply).toBeDefined();
  expect((await run(moderator, 'moderate stop')).content).toBe(en.moderate.stopped(1));
  const told = await world.reads(en.cancel.byModerator('a red fox', en.cancel.free));
  await expect.poll(() => world.member.message(answer.id)).toBeUndefined();
  expect(world.member.message(told.id)).toBeDefined();
  expect(moderator.message(told.id)).toBeUndefined();
});
