import { createDeferred } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { BOT, CHANNEL, MEMBER, refusalOf } from '../support/local-discord.ts';
import { pingWorld } from '../support/ping-world.ts';

test('a token works for 15 minutes and then answers 401 with 50027, on every route', async () => {
  const clock = createFakeClock();
  const world = await pingWorld({ clock });
  const answered = createDeferred<string>();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply('early');
    answered.resolve(i.token);
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  const token = await answered.promise;
  const original = Routes.webhookMessage(BOT, token);
  await clock.advance(15 * 60_000 - 1000);
  await world.rest.patch(original, { auth: false, body: { content: 'in time' } });
  await clock.advance(1001);
  const calls = [
    world.rest.patch(original, { auth: false, body: { content: 'late' } }),
    world.rest.get(original, { auth: false }),
    world.rest.delete(original, { auth: false }),
    world.rest.post(Routes.webhook(BOT, token), { auth: false, body: { content: 'late' } }),
  ];
  for (const call of calls) expect(await refusalOf(call)).toMatchObject({ status: 401, code: 50027 });
  const [message] = world.discord.as(MEMBER).messages(CHANNEL);
  await world.rest.patch(Routes.channelMessage(CHANNEL, message?.id ?? ''), {
    body: { content: 'by bot token' },
  });
  expect(world.discord.as(MEMBER).message(message?.id ?? '')?.content).toBe('by bot token');
});

test('a webhook opens only after the first answer, and only for its own application', async () => {
  const world = await pingWorld();
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const post = (bot: string) =>
      world.rest.post(Routes.webhook(bot, i.token), { auth: false, body: { content: 'x' } });
    codes.push(await refusalOf(post(BOT)));
    await i.reply('now');
    codes.push(await refusalOf(post('300000000000000009')));
    codes.push(
      await refusalOf(
        world.rest.get(Routes.webhookMessage(BOT, i.token, '1234567890123456789'), { auth: false }),
      ),
    );
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await expect.poll(() => codes).toMatchObject([{ code: 10015 }, { code: 10015 }, { code: 10008 }]);
});
