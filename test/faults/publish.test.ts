import { MINUTE_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import {
  calls,
  oneCall,
  refusal,
  tooMany,
} from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf, deleteBy, underMore } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';

const { actions } = en;

/** A private picture, and what everybody sees of it. */
async function privatePicture({ channelId = CHANNEL, clock = createFastClock() } = {}) {
  const world = await botWorld({ operatorScope: { outside: true }, clock });
  const { discord, member } = world;
  if (channelId !== CHANNEL) discord.world.setInstalled(MEMBER, BOT, true);
  const asked = { prompt: 'a red fox', size: '64x64', private: true };
  const picture = await world.imagined(asked, { channelId });
  const hasPicture = ({ id, attachments }: APIMessage) => id !== picture.id && attachments.length > 0;
  return {
    ...world,
    picture,
    press: () => member.press(picture.id, buttonOf(picture, actions.publish)),
    published: () => member.messages(channelId).filter(hasPicture),
  };
}

/** One that was published, whose answer was lost, and whose bot has stopped. */
async function publishedUnanswered() {
  // A look for it is given up after 15 seconds, and a busy machine needs more than one and a half.
  const world = await privatePicture({ clock: createFastClock({ factor: 1 }) });
  const { discord, press, published, stopBot } = world;
  discord.faults.add({ next: oneCall.postFiles, effect: 'answer-lost' });
  discord.faults.add({ every: calls.post, effect: { status: 503 } });
  await press();
  await expect.poll(published).toHaveLength(1);
  await stopBot();
  discord.faults.clear();
  return world;
}

test('what was published without an answer is found where Publish is pressed again after a restart', async () => {
  const { press, published, reads, clock, startBot } = await publishedUnanswered();
  clock.advance(10 * MINUTE_MS);
  await startBot();
  await press();
  await reads(`/${published()[0]?.id}`);
  expect(published()).toHaveLength(1);
});

test('what was published without an answer has buttons for everybody, also after a restart', async () => {
  const { published, as, startBot } = await publishedUnanswered();
  await startBot();
  const [shown] = published();
  if (!shown) throw new Error('nothing was published');
  const other = as(MODERATOR);
  const details = await underMore(shown, other);
  expect(JSON.stringify(details.embeds)).toContain('64 × 64');
});

test('what Discord did not take for too long is posted by the next press', async () => {
  const { discord, press, published, reads, clock } = await privatePicture();
  discord.faults.add({ every: calls.post, effect: { status: 503 } });
  await press();
  clock.advance(MINUTE_MS);
  await reads('Discord did not answer');
  discord.faults.clear();
  clock.advance(10 * MINUTE_MS);
  await press();
  await reads('Everybody can see it now');
  expect(published()).toHaveLength(1);
});

test('a bot that has stopped tries to publish no more', async () => {
  // A try is given up after 45 seconds, and handlers have two real ones.
  const world = await privatePicture({ clock: createFastClock({ factor: 1 }) });
  const { discord, member, press, stopBot, startBot, clock } = world;
  discord.faults.add({ every: calls.post, effect: { status: 503 } });
  await press();
  const tried = () => discord.requests.list(calls.post).length;
  await expect.poll(tried).toBeGreaterThan(0);
  await stopBot();
  await startBot();
  // What had left before is on record by now.
  const before = tried();
  for (let round = 0; round < 3; round += 1) {
    clock.advance(4_000);
    await run(member, 'privacy');
  }
  expect(tried()).toBe(before);
});

test.each([CHANNEL, OTHER_CHANNEL])(
  'what its member deletes while it is published becomes public for no longer than that takes: %s',
  async (channelId) => {
    // A try is given up after 45 seconds, and to delete takes a busy machine a while.
    const world = await privatePicture({ channelId, clock: createFastClock({ factor: 1 }) });
    const { discord, member, press, picture, published, reads } = world;
    const isPost = channelId === CHANNEL ? calls.post : calls.followUpFiles;
    discord.faults.add({ every: isPost, effect: tooMany(1) });
    await press();
    await expect.poll(() => discord.requests.list(isPost).length).toBeGreaterThan(0);
    await deleteBy(picture, member);
    await reads(actions.deleted);
    discord.faults.clear();
    await reads(actions.removed);
    expect(published()).toEqual([]);
  },
);

test('what Discord refuses to publish is posted once it allows it', async () => {
  const { discord, press, published, reads, clock } = await privatePicture();
  discord.faults.add({ next: oneCall.postFiles, effect: refusal(400, 200000) });
  await press();
  await reads(actions.notPublished.refused);
  clock.advance(MINUTE_MS);
  await press();
  await reads('Everybody can see it now');
  expect(published()).toHaveLength(1);
});

test('where the bot cannot look for what may be there, its member decides', async () => {
  const { discord, press, published, reads, clock } = await privatePicture({ channelId: OTHER_CHANNEL });
  discord.faults.add({ next: oneCall.followUpFiles, effect: 'answer-lost' });
  await press();
  await reads('I cannot look');
  expect(published()).toHaveLength(1);
  clock.advance(MINUTE_MS);
  await press();
  await reads('Everybody can see it now');
});

test('what Discord finds too large is published smaller where the bot is no member, too', async () => {
  const { discord, press, published, reads } = await privatePicture({ channelId: OTHER_CHANNEL });
  discord.faults.add({ next: oneCall.followUpFiles, effect: refusal(413, 40005) });
  await press();
  await reads('Everybody can see it now');
  expect(published()).toHaveLength(1);
});
