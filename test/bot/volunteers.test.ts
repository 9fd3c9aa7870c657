import { silentLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createHordeEngine } from '../../packages/image-service/src/engines/horde/engine.ts';
import { createFakeHorde, HORDE_KEY } from '../../packages/image-service/test/support/fake-horde.ts';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  sees,
  type smallWorld,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';

const ADULTS = '500000000000000011';

/** The small world, with a channel for adults. */
const withAdults = (world: typeof smallWorld): typeof smallWorld => ({
  ...world,
  guilds: (world.guilds ?? []).map((guild) => ({
    ...guild,
    channels: [
      ...guild.channels,
      ...(guild.id === GUILD ? [{ id: ADULTS, name: 'adults', nsfw: true }] : []),
    ],
  })),
});

/** A bot whose pictures are drawn by volunteers. `nsfw`: whether its operator allows what is indecent. */
async function volunteersWorld({ locale = 'en-US', nsfw = false } = {}) {
  const horde = await createFakeHorde();
  const clock = createFastClock({ factor: 50 });
  const engine = createHordeEngine({ key: HORDE_KEY, url: horde.url, nsfw, clock, log: silentLog() });
  const world = await botWorld({
    service: { engine },
    discord: { world: withAdults(worldWhere(MEMBER, locale)) },
  });
  return { ...world, horde };
}

test.each([
  ['en-US', 'Queue: number 12 · about 4 min left', 'Developing'],
  ['de', 'Warteschlange: Platz 12 · noch ~4 min', 'Entsteht'],
])(
  'in %s the place in the queue of the volunteers is shown, until one of them draws',
  async (locale, queued, begun) => {
    const { member, horde, ended } = await volunteersWorld({ locale });
    const asked = messageOf(await member.invoke(CHANNEL, 'imagine', { prompt: 'a fox', private: false }));
    const { id } = asked;
    const request = await horde.request();
    Object.assign(request.check, { queue_position: 12, wait_time: 236 });
    const waiting = await sees(member, (message) => message.id === id && message.content.includes(queued));
    expect(waiting.content).not.toContain('%');
    Object.assign(request.check, { queue_position: 0, processing: 1, waiting: 0, wait_time: 30 });
    await sees(member, (message) => message.id === id && message.content.includes(begun));
    await horde.finish(request);
    expect((await ended(id)).attachments).toHaveLength(1);
  },
);

test.each([
  ['where its operator allows it and the channel is for adults', true, ADULTS, true],
  ['not in another channel', true, CHANNEL, false],
  ['not where its operator does not allow it', false, ADULTS, false],
])('what is indecent is asked for %s', async (_, nsfw, channel, asked) => {
  const { member, horde, ended } = await volunteersWorld({ nsfw });
  const answer = messageOf(await member.invoke(channel, 'imagine', { prompt: 'a fox' }));
  const request = await horde.request();
  expect(request.body).toMatchObject({ nsfw: asked, censor_nsfw: !asked });
  await horde.finish(request);
  const { attachments } = await ended(answer.id);
  expect(attachments.map(({ filename }) => filename.startsWith('SPOILER_'))).toEqual([false]);
});

test('what was drawn for adults is behind a spoiler where its member brings it elsewhere', async () => {
  const { member, horde, discord, logs, ended } = await volunteersWorld({ nsfw: true });
  discord.world.openDirectMessages(MEMBER, false);
  for (const match of [calls.reply, calls.edit, calls.post])
    discord.faults.add({ every: match, effect: refusal(403, 50001) });
  await member.invoke(ADULTS, 'imagine', { prompt: 'a fox' });
  await horde.finish(await horde.request());
  await logs('the outcome waits for its member');
  discord.faults.clear();
  const listed = await run(member, 'jobs');
  const shown = messageOf(await member.press(listed.id, buttonOf(listed, en.jobs.show(1))));
  const { attachments } = await ended(shown.id);
  expect(attachments.map(({ filename }) => filename.startsWith('SPOILER_'))).toEqual([true]);
});
