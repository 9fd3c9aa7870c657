import { expect, test } from 'vitest';
import { oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { defineCommand } from '../../src/bot/command.ts';
import { botWorld } from '../support/bot.ts';

const parsed = (lines: readonly string[]): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));

test('one number leads from a request to its picture, and by way of its task into the log of the service', async () => {
  const world = await botWorld();
  world.discord.faults.add({ next: oneCall.replyFiles, effect: { status: 500 } });
  await world.imagined({ prompt: 'a red fox' });
  await world.logs('"delivered"');
  const lines = parsed(world.lines);
  const accepted = lines.find(({ msg }) => msg === 'the image service has accepted a task');
  expect(accepted).toMatchObject({ job: expect.stringMatching(/^\d{17,}$/), taskId: expect.any(String) });
  const delivered = lines.find(({ msg }) => msg === 'delivered');
  expect(delivered?.job).toBe(accepted?.job);
  const drawn = parsed(world.service.lines).find(({ msg }) => msg === 'task completed');
  expect(drawn?.taskId).toBe(accepted?.taskId);
});

test('what a member is told with a reference is in the log by the number of the interaction', async () => {
  const broken = defineCommand({
    uses: [],
    data: { name: 'broken', description: 'Fails.' },
    run: () => Promise.reject(new Error('a mistake')),
  });
  const world = await botWorld({ commands: [broken] });
  await world.member.invoke(CHANNEL, 'broken');
  await world.logs('an unexpected error ended a request; its member was given this reference');
  expect(
    parsed(world.lines).find(
      ({ msg }) => msg === 'an unexpected error ended a request; its member was given this reference',
    ),
  ).toMatchObject({
    interaction: expect.stringMatching(/^\d{17,}$/),
    reference: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
});
