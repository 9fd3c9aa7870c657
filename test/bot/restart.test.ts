import { expect, test } from 'vitest';
import { startedJob } from '../support/started-job.ts';

test('a picture that is finished while the bot is away arrives after its restart, submitted once', async () => {
  const world = await startedJob();
  await world.stopBot();
  await world.drawing.finish();
  await world.startBot();
  const message = await world.ended(world.reply.id);
  expect(message.attachments).toHaveLength(1);
  expect(world.engine.begun).toHaveLength(1);
});

test('stopping follows nothing further, and the reply still shows where it stood', async () => {
  const world = await startedJob();
  await world.stopBot();
  expect(world.said()).toContain('40 %');
  await world.drawing.finish();
});
