import { until } from '@darkroom/testing';
import { MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { answer } from '../../packages/image-api/test/support/behaviours.ts';
import type { Behaviour } from '../../packages/image-api/test/support/hostile-service.ts';
import { BOT, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { en } from '../../src/messages/locale/en.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';
import { faultyServiceWorld } from '../support/faulty-service.ts';

/** A task that is completed, with what the service says of its picture. */
const completed =
  (said: Record<string, unknown>): Behaviour =>
  (exchange) => {
    const id = exchange.request.query.get('task_id');
    const result = { image_url: `${exchange.baseUrl}/pictures/${id}.png`, ...said };
    return answer({ id, status: 'completed', created_at: null, result })(exchange);
  };

/** A server that has decided what happens to a flagged picture. */
async function flaggedWorld(said: Record<string, unknown>, flagged: GuildSettings['flagged']) {
  const world = await faultyServiceWorld({ status: [completed(said)] });
  const moderator = world.as(MODERATOR);
  const panel = await run(moderator, 'settings panel');
  await moderator.select(panel.id, 'settings:section', ['moderation']);
  await moderator.select(panel.id, 'settings:pick:flagged:moderation', [flagged]);
  return world;
}

test.each([
  [{ nsfw: true }, 'spoiler', true],
  [{ flagged: '1' }, 'spoiler', true],
  [{ nsfw: false }, 'spoiler', false],
  [{}, 'spoiler', false],
  [{ nsfw: true }, 'show', false],
] as const)('of a picture with %j a server that says %s hides it: %s', async (said, flagged, hidden) => {
  const world = await flaggedWorld(said, flagged);
  const ended = await world.ended((await world.ask()).id);
  await world.hostile.close();
  expect(ended.attachments).toHaveLength(1);
  expect(ended.attachments[0]?.filename.startsWith('SPOILER_')).toBe(hidden);
});

test('a flagged picture goes to its member alone where the server says so', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  const reply = await world.ask();
  const told = await world.reads(en.handover.direct);
  expect(told.id).toBe(reply.id);
  expect(told.attachments).toEqual([]);
  const direct = world.member.messages(world.member.openDirectMessage(BOT).id);
  expect(direct.flatMap(({ attachments }) => attachments)).toHaveLength(1);
  await world.hostile.close();
});

test('where direct messages are closed it waits in /jobs, and is shown to its member only', async () => {
  const world = await flaggedWorld({ nsfw: true }, 'private');
  world.discord.world.openDirectMessages(MEMBER, false);
  await world.ask();
  await world.reads(en.handover.waiting);
  await until(() => world.lines.join('').includes('the outcome waits for its member'), 'a job that waits');
  const listed = await run(world.member, 'jobs');
  const shown = await world.member.press(listed.id, buttonOf(listed, en.jobs.show(1)));
  if (shown.kind !== 'message') throw new Error(shown.kind);
  const ended = await world.ended(shown.message.id);
  expect(Number(ended.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(ended.attachments).toHaveLength(1);
  await world.hostile.close();
});
