import { createVault } from '@darkroom/storage';
import { createDeferred } from '@darkroom/testing';
import { MINUTE_MS, systemClock } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { Locale, MessageFlags, REST } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hang } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { calls } from '../../packages/local-discord/test/support/discord-faults.ts';
import {
  CHANNEL,
  MEMBER,
  sees,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { openLocalDiscord } from '../../packages/local-discord/test/support/open-local-discord.ts';
import { createPendingAnswers } from '../../src/bot/pending-answers.ts';
import { sealedPendingTokens } from '../../src/bot/pending-tokens.ts';
import { createReply } from '../../src/bot/reply.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { fillIn } from '../support/ephemeral-reply.ts';
import { createStoreWorld } from '../support/store.ts';

/** A member with a key who has asked for the balance, which the service never tells. */
async function promisedWorld({ locale = 'en-GB' } = {}) {
  const service = await createHostileService();
  const world = await botWorld({
    imageUrl: service.baseUrl,
    operatorKey: A_KEY,
    discord: { world: worldWhere(MEMBER, locale) },
  });
  const { member } = world;
  await fillIn(member, await member.invoke(CHANNEL, 'apikey link'), A_KEY);
  await world.reads(A_KEY.slice(-4));
  service.script('balance', hang());
  const answer = await member.invoke(CHANNEL, 'balance');
  if (answer.kind !== 'message') throw new Error(answer.kind);
  return { ...world, service, answer: answer.message };
}

/** Ends the process as a kill would: nothing of what it still does reaches Discord. */
async function kill({ discord, stopBot }: Pick<BotWorld, 'discord' | 'stopBot'>): Promise<void> {
  discord.faults.add({ every: calls.token, effect: { status: 503 } });
  await stopBot();
  discord.faults.clear();
}

/** What a member sees first, and what is left in the store, when a command answers with `message`. */
async function answeredWith(message: Promise<Message>) {
  const { store, log, reopen } = await createStoreWorld();
  const local = await openLocalDiscord();
  const vault = createVault(['c'.repeat(64)]);
  const pendingAnswers = createPendingAnswers({
    store,
    vault,
    webhooks: local.rest,
    clock: systemClock,
    log,
  });
  await local.serve(async (interaction) => {
    if (interaction.isRepliable())
      await createReply(interaction, { pendingAnswers, link: (one) => one, metrics: noMetrics }).answer(
        message,
      );
  });
  await local.register({ name: 'look', description: 'Looks.' });
  const member = local.discord.as(MEMBER);
  const answer = messageOf(await member.invoke(CHANNEL, 'look'));
  const owed = (of = store) => of.collection('pending', z.unknown()).list();

  /** Has another process look once for what is owed, two minutes later. */
  async function lookLater() {
    const clock = createFakeClock({ startAt: Date.now() + 2 * MINUTE_MS });
    const next = await reopen();
    const stopping = new AbortController();
    const looking = createPendingAnswers({
      store: next,
      vault,
      webhooks: local.rest,
      clock,
      log,
    }).answerLost(stopping.signal);
    await expect.poll(() => clock.asleep).toBe(1);
    stopping.abort();
    await looking;
    return owed(next);
  }

  return { member, first: answer, owed, lookLater, loseStore: () => store.close() };
}

test('what is known at once is the first answer, and nothing is owed', async () => {
  const { first, owed } = await answeredWith(Promise.resolve({ content: 'known' }));
  expect(first).toMatchObject({ content: 'known', flags: MessageFlags.Ephemeral });
  expect(await owed()).toEqual([]);
});

test('what takes longer is promised to its caller only, and owed until it has come', async () => {
  const slow = createDeferred<Message>();
  const { member, first, owed } = await answeredWith(slow.promise);
  expect(Number(first.flags)).toBe(MessageFlags.Ephemeral | MessageFlags.Loading);
  expect(await owed()).toHaveLength(1);
  expect(JSON.stringify(await owed())).not.toContain('aW50ZXJhY3Rpb246');
  slow.resolve({ content: 'known now' });
  await sees(member, ({ content }) => content === 'known now');
  await expect.poll(owed).toEqual([]);
});

test.each([
  ['en-GB', en],
  ['de', de],
])('an answer that a killed process owes is given by the next one (%s)', async (locale, texts) => {
  const world = await promisedWorld({ locale });
  await kill(world);
  world.clock.advance(2 * MINUTE_MS);
  await world.startBot();
  expect((await world.reads(texts.refusal.restarted)).id).toBe(world.answer.id);
});

test('an answer that was given stays, also where nobody could write down that it was', async () => {
  const slow = createDeferred<Message>();
  const { member, first, owed, loseStore, lookLater } = await answeredWith(slow.promise);
  expect(await owed()).toHaveLength(1);
  await loseStore();
  slow.resolve({ content: 'known now' });
  await sees(member, ({ content }) => content === 'known now');
  expect(await lookLater()).toEqual([]);
  expect(member.messages(CHANNEL).find(({ id }) => id === first.id)?.content).toBe('known now');
});

test('an answer that takes minutes is left to the process that owes it', async () => {
  const { store, log } = await createStoreWorld();
  const vault = createVault(['c'.repeat(64)]);
  const clock = createFakeClock({ startAt: Date.now() });
  const answered: string[] = [];
  const webhooks = new REST({
    async makeRequest(url, { method }) {
      if (method === 'PATCH') answered.push(new URL(url).pathname);
      return Response.json({ flags: MessageFlags.Loading });
    },
  });
  const [own, other] = [1, 2].map(() => createPendingAnswers({ store, vault, webhooks, clock, log }));
  const interaction = { applicationId: '7', createdTimestamp: Date.now(), locale: Locale.EnglishGB };
  await own?.add({ ...interaction, id: '1', token: 'own' });
  await other?.add({ ...interaction, id: '2', token: 'other' });
  const stopping = new AbortController();
  const looking = own?.answerLost(stopping.signal);
  const passMinutes = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await expect.poll(() => clock.asleep).toBe(1);
      await clock.advance(MINUTE_MS);
    }
    await expect.poll(() => clock.asleep).toBe(1);
  };
  await passMinutes(9);
  expect(answered).toEqual([expect.stringContaining('/other/')]);
  await passMinutes(1);
  expect(answered).toEqual([expect.anything(), expect.stringContaining('/own/')]);
  stopping.abort();
  await looking;
});

test('what a process owed is owed until it is answered, and left to the next one when the bot stops', async () => {
  const { store, log } = await createStoreWorld();
  const vault = createVault(['c'.repeat(64)]);
  const rows = store.collection(sealedPendingTokens.collection, z.unknown());
  for (const id of ['1', '2'])
    await rows.set(id, {
      applicationId: '7',
      since: 0,
      locale: 'en-GB',
      token: vault.seal('a token', sealedPendingTokens.contextOf(id)),
    });
  const owed = async () => (await rows.list()).map(({ id }) => id);
  const stopping = new AbortController();
  let whileAnswering: string[] = [];
  const webhooks = new REST({
    async makeRequest() {
      whileAnswering = await owed();
      stopping.abort();
      return Response.json({ flags: MessageFlags.Loading });
    },
  });
  await createPendingAnswers({ store, vault, webhooks, clock: systemClock, log }).answerLost(stopping.signal);
  expect(whileAnswering).toEqual(['1', '2']);
  expect(await owed()).toEqual(['2']);
});
