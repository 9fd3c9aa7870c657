import type { UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { refusal, reset } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { oneCall } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { underMore } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

/** What everybody in the channel sees of the bot. */
const publicly = ({ as }: BotWorld) =>
  as(MODERATOR)
    .messages(CHANNEL)
    .filter(({ author }) => author.bot);

async function link(world: BotWorld, key = world.service.key) {
  await settled(
    await fillIn(world.member, await world.member.invoke(CHANNEL, 'apikey link'), key),
    world.member,
  );
}

test('that a member has too few credits is told to them alone, with price and balance, and nothing stands publicly', async () => {
  const world = await botWorld({ operatorKey: null, service: { credits: 0.5 } });
  await link(world);
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  const told = await world.reads('Not enough credits');
  expect(told.content).toContain('a picture costs **1**, you have **0.5**.');
  expect(isEphemeral(told)).toBe(true);
  expect(JSON.stringify(told.components)).toContain('Show balance');
  expect(publicly(world)).toEqual([]);
  expect((await run(world.member, 'jobs')).embeds[0]?.description).not.toContain(en.jobs.state.waiting);
});

test('a key that the service refuses after the request was taken is its member’s own business', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  const told = await world.reads('did not accept your key');
  expect(isEphemeral(told)).toBe(true);
  expect(publicly(world)).toEqual([]);
});

test('where one of several could not be paid for, all see the pictures and one person why', async () => {
  const world = await botWorld({ operatorKey: null, service: { credits: 1 } });
  await link(world);
  await world.imagined({ prompt: 'a red fox', count: 2, size: '64x64' });
  const told = await world.reads('Not enough credits');
  expect(isEphemeral(told)).toBe(true);
  const [picture] = publicly(world);
  expect(picture?.attachments).toHaveLength(1);
  expect(picture?.content).toContain('1 of 2 pictures did not come out.');
  expect(picture?.content).not.toContain('credits');
});

test('a refusal whose answer was lost is not told twice: it waits in /jobs', async () => {
  const world = await botWorld({ operatorKey: null, service: { credits: 0 } });
  await link(world);
  world.discord.faults.add({ next: oneCall.followUpWords, effect: 'answer-lost' });
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  await world.reads('Not enough credits');
  await world.logs('"waitReason":"unverifiable"');
  const told = world.member.messages(CHANNEL).filter(({ content }) => content.includes('Not enough credits'));
  expect(told).toHaveLength(1);
  expect(publicly(world)).toEqual([]);
});

test('a service that says no figures is passed on without them', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('submit', refusal(402, 'no credits'));
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  expect(isEphemeral(await world.reads('You do not have enough credits'))).toBe(true);
  expect(publicly(world)).toEqual([]);
});

test('that credits may have been taken is told to who asked alone, and their Details still say so after a restart', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('submit', reset());
  await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
  const told = await world.reads(en.failure.mayBeCharged.member.slice(0, 26));
  expect(isEphemeral(told)).toBe(true);
  const [failed, ...others] = publicly(world);
  if (!failed) throw new Error('nothing stands publicly');
  expect(others).toEqual([]);
  expect(failed.content).toContain(en.failure.reasons.unclear);
  expect(JSON.stringify(failed)).not.toMatch(/credit|balance/i);
  await world.restartBot();
  const details = (user: UserClient) => underMore(failed, user);
  expect((await details(world.member)).content).toContain('Credits may have been taken');
  expect((await details(world.as(MODERATOR))).content).not.toMatch(/credit/i);
  expect((await run(world.member, 'jobs')).embeds[0]?.description).toContain('Credits may have been taken');
});
