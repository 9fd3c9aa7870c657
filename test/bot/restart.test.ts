import { expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { botWorld } from '../support/bot.ts';

test('a picture that is finished while the bot is away arrives after its restart, submitted once', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  if (answer.kind !== 'message') throw new Error(answer.kind);
  const drawing = await engine.next();
  drawing.progress(40);
  await world.reads('40 %');
  await world.stopBot();
  await drawing.finish();
  await world.startBot();
  const message = await world.ended(answer.message.id);
  expect(message.attachments).toHaveLength(1);
  expect(engine.begun).toHaveLength(1);
});

test('stopping follows nothing further, and the reply still shows where it stood', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  if (answer.kind !== 'message') throw new Error(answer.kind);
  const drawing = await engine.next();
  drawing.progress(40);
  await world.reads('40 %');
  await world.stopBot();
  expect(world.member.message(answer.message.id)?.content).toContain('40 %');
  await drawing.finish();
});
