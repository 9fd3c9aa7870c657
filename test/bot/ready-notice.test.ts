import { MINUTE_MS } from '@darkroom/time';
import { MessageType } from 'discord.js';
import { expect, test } from 'vitest';
import { calls, oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { run } from '../support/ephemeral-reply.ts';
import { startedJob } from '../support/started-job.ts';

type Started = Awaited<ReturnType<typeof startedJob>>;

const noticesIn = ({ member }: Started) =>
  member.messages(CHANNEL).filter(({ content }) => content === en.ready(`<@${MEMBER}>`, 1));

async function finish({ drawing, ended, reply, logs }: Started) {
  await drawing.finish();
  const picture = await ended(reply.id);
  await logs('"delivered"');
  return picture;
}

/** Lets so much time pass that a notice which waits for room would be posted. */
async function outlastRetries({ clock, member }: Started) {
  for (let round = 0; round < 3; round += 1) {
    clock.advance(8_000);
    await run(member, 'privacy');
  }
}

/** Picks in the panel of the server's settings whether members are told. */
async function settle(world: Started, value: string) {
  const moderator = world.as(MODERATOR);
  const panel = await run(moderator, 'settings panel');
  await moderator.select(panel.id, 'settings:pick:notify:general', [value]);
}

test('who has waited for over a minute is told once, in reply to the picture, and nobody else', async () => {
  const world = await startedJob();
  world.clock.advance(1.1 * MINUTE_MS);
  const picture = await finish(world);
  expect(picture.mentions).toEqual([]);
  await expect.poll(() => noticesIn(world)).toHaveLength(1);
  const [notice] = noticesIn(world);
  expect(notice).toMatchObject({
    type: MessageType.Reply,
    mentions: [{ id: MEMBER }],
    mention_everyone: false,
    message_reference: { message_id: picture.id },
  });
  await world.restartBot();
  expect(noticesIn(world)).toHaveLength(1);
});

test('a notice whose answer was lost does not come twice', async () => {
  const world = await startedJob();
  world.clock.advance(1.1 * MINUTE_MS);
  world.discord.faults.add({ next: oneCall.postWords, effect: 'answer-lost', times: 2 });
  await finish(world);
  await expect.poll(() => world.discord.requests.list(calls.post).length).toBeGreaterThan(1);
  expect(noticesIn(world)).toHaveLength(1);
});

test('a bot that has stopped tells nobody any more', async () => {
  const world = await startedJob();
  world.clock.advance(1.1 * MINUTE_MS);
  world.discord.faults.add({ every: calls.post, effect: { status: 503 } });
  await finish(world);
  const tried = () => world.discord.requests.list(calls.post).length;
  await expect.poll(tried).toBeGreaterThan(0);
  await world.stopBot();
  await world.startBot();
  // What had left before is on record by now.
  const before = tried();
  await outlastRetries(world);
  expect(tried()).toBe(before);
});

test.each([
  ['a quick picture', {}, 0],
  ['a private one', { private: true }, 1.1],
])('nobody is told of %s', async (_, options, minutes) => {
  const world = await startedJob(options);
  world.clock.advance(minutes * MINUTE_MS);
  await finish(world);
  await run(world.member, 'jobs');
  expect(noticesIn(world)).toEqual([]);
});

test('nobody is told of a quick picture whose place late progress may have taken a minute later', async () => {
  const world = await startedJob();
  world.discord.faults.add({ next: oneCall.replyWords, effect: 'answer-lost' });
  world.drawing.progress(80);
  await world.logs('a progress edit failed');
  await finish(world);
  await expect.poll(() => world.discord.requests.list(calls.look).length).toBeGreaterThan(0);
  await outlastRetries(world);
  expect(noticesIn(world)).toEqual([]);
});

test('a server decides that its members are always told, or never', async () => {
  const world = await startedJob();
  await settle(world, 'never');
  const answer = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a blue fox' }));
  const second = await world.engine.next();
  await settle(world, 'always');
  const third = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a green fox' }));
  const last = await world.engine.next();
  await last.finish();
  await world.ended(third.id);
  await expect.poll(() => noticesIn(world)).toHaveLength(1);
  expect(noticesIn(world)[0]?.message_reference?.message_id).toBe(third.id);
  world.clock.advance(1.1 * MINUTE_MS);
  await second.finish();
  await world.ended(answer.id);
  await world.drawing.finish();
  await expect.poll(() => noticesIn(world).length).toBe(2);
  expect(noticesIn(world).map(({ message_reference }) => message_reference?.message_id)).not.toContain(
    answer.id,
  );
});
