import { setImmediate } from 'node:timers/promises';
import { MINUTE_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { ButtonStyle, MessageFlags, PermissionFlagsBits } from 'discord.js';
import type { InteractionResult } from 'local-discord';
import { expect, test } from 'vitest';
import { controlledEngine, editingEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { run } from '../support/ephemeral-reply.ts';
import { changeSettings, storeWithSettings } from '../support/guild-settings.ts';

/** What only the caller reads of a refusal. */
function refusal(answer: InteractionResult): string {
  if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
  expect(Number(answer.message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  return plain(answer.message.content);
}

const FOX = { prompt: 'a red fox' };

test('a member gets as many pictures as they may have in a day, and is told privately when there are more', async () => {
  const world = await botWorld({ operatorLimits: { memberDay: 3 } });
  const drawn = await world.imagined({ ...FOX, count: 2 });
  const answer = refusal(await world.member.invoke(CHANNEL, 'imagine', { ...FOX, count: 2 }));
  expect(answer).toMatch(/^That would exceed your limit of 3 pictures\. It resets <t:\d+:R>\.$/);
  const again = await world.member.press(drawn.id, buttonOf(drawn, en.picture.again));
  expect(refusal(again)).toContain('your limit of 3 pictures');
  await world.imagined(FOX);
  expect(await world.pictures()).toHaveLength(3);
  await world.imagined(FOX, { user: world.as(MODERATOR) });
});

test('what is made of a picture counts like a picture', async () => {
  const service = { engine: editingEngine() };
  const world = await botWorld({ service, operatorLimits: { memberDay: 2 } });
  const drawn = await world.imagined(FOX);
  const larger = messageOf(await world.member.press(drawn.id, buttonOf(drawn, en.source.upscale(2))));
  const ended = await world.ended(larger.id);
  const once = await world.member.press(ended.id, buttonOf(ended, en.source.upscale(2)));
  expect(refusal(once)).toContain('your limit of 2 pictures');
});

test('a shared key pays within its budget, and whoever has a key of their own is not held up by it', async () => {
  const world = await botWorld({ operatorLimits: { keyMonth: 1 } });
  await world.imagined(FOX);
  const moderator = world.as(MODERATOR);
  const refused = await moderator.invoke(CHANNEL, 'imagine', FOX);
  expect(refusal(refused)).toContain('shared key’s budget of 1 picture');
  if (refused.kind !== 'message') throw new Error(refused.kind);
  expect(() => buttonOf(refused.message, en.apiKey.link)).not.toThrow();
});

test('a request under way counts until it is over, also where the bot was stopped meanwhile', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine }, operatorLimits: { openRequests: 1 } });
  const first = await world.member.invoke(CHANNEL, 'imagine', FOX);
  const drawing = await engine.next();
  expect(refusal(await world.member.invoke(CHANNEL, 'imagine', FOX))).toBe(en.limits.openRequests(1));
  await world.restartBot();
  expect(refusal(await world.member.invoke(CHANNEL, 'imagine', FOX))).toBe(en.limits.openRequests(1));
  await drawing.finish();
  if (first.kind !== 'message') throw new Error(first.kind);
  await world.ended(first.message.id);
  const next = await world.member.invoke(CHANNEL, 'imagine', FOX);
  await (await engine.next()).finish();
  if (next.kind !== 'message') throw new Error(next.kind);
  await world.ended(next.message.id);
});

test('the operator decides how large and how fine a picture may be, also where nobody has said', async () => {
  const largestSize = { width: 512, height: 512 };
  const world = await botWorld({ operatorLimits: { largestSize, mostSteps: 20 } });
  const asks = async (options: Record<string, string | number>) =>
    refusal(await world.member.invoke(CHANNEL, 'imagine', { ...FOX, ...options }));
  expect(await asks({ size: '512x768' })).toBe(en.rules.largestSize('512x768', '512x512'));
  expect(await asks({ steps: 21 })).toBe(en.rules.mostSteps(21, 20));
  await world.imagined(FOX);
});

test('what was typed is kept where a limit, a place, a block or a missing permission refuses it', async () => {
  const engine = controlledEngine();
  const storeUrl = await storeWithSettings({});
  const world = await botWorld({ storeUrl, service: { engine }, operatorLimits: { openRequests: 1 } });
  const { discord, member, stopBot, startBot } = world;
  const picture = await member.invoke(CHANNEL, 'imagine', FOX);
  const drawing = await engine.next();
  /** Nothing that could be typed instead helps against the place: there Edit is not what to press. */
  async function isKeptWith(sentence: string, style = ButtonStyle.Secondary): Promise<void> {
    const refused = await member.invoke(CHANNEL, 'imagine', { prompt: 'a blue fox' });
    expect(refusal(refused)).toBe(sentence);
    if (refused.kind !== 'message') throw new Error(refused.kind);
    expect(JSON.stringify(refused.message.components)).toContain(`"style":${style},`);
    const form = await member.press(refused.message.id, buttonOf(refused.message, en.editForm.edit));
    expect(JSON.stringify(form)).toContain('a blue fox');
  }
  const decided = async (settings: Partial<GuildSettings>) => {
    await stopBot();
    await changeSettings(storeUrl, settings);
    await startBot();
  };
  await isKeptWith(plain(en.limits.openRequests(1)), ButtonStyle.Primary);
  await drawing.finish();
  if (picture.kind !== 'message') throw new Error(picture.kind);
  await world.ended(picture.message.id);

  await decided({ channels: [OTHER_CHANNEL] });
  await isKeptWith(en.rules.channels([`<#${OTHER_CHANNEL}>`]));
  await decided({ channels: [], paused: true });
  await isKeptWith(en.rules.paused);
  await decided({ paused: false });
  discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.AttachFiles);
  await isKeptWith(en.refusal.missingPermissions(['AttachFiles']));
  discord.world.deny(CHANNEL, BOT, 0n);
  await run(world.as(MODERATOR), 'moderate block', { member: MEMBER });
  await isKeptWith(en.rules.blocked(undefined));
});

test.each([
  ['by itself', { after: 30, passed: 29.95 }, en.failure.reasons['task-failed']],
  ['as it is told to', { after: 60, passed: 30.95 }, en.failure.reasons['given-up']],
])(
  'what the service never finishes it ends %s at no cost, and it counts in no limit',
  async (_, minutes, why) => {
    const clock = createFastClock({ factor: 1 });
    const engine = controlledEngine();
    const limits = { taskMs: minutes.after * MINUTE_MS };
    const world = await botWorld({
      clock,
      service: { clock, engine, limits },
      operatorLimits: { memberDay: 1 },
    });
    const reply = messageOf(await world.member.invoke(CHANNEL, 'imagine', FOX));
    await engine.next();
    await world.reads(FOX.prompt);
    for (let seconds = 0; seconds < minutes.passed * 60; seconds += 3) {
      clock.advance(3_000);
      await setImmediate();
    }
    const ended = await world.ended(reply.id);
    expect(ended.content).toContain(why);
    expect(JSON.stringify(world.member.messages(CHANNEL))).not.toContain('may have been taken');
    expect(await world.service.balance()).toBe(100);
    const next = messageOf(await world.member.invoke(CHANNEL, 'imagine', FOX));
    await (await engine.next()).finish();
    expect((await world.ended(next.id)).attachments).toHaveLength(1);
  },
);

test('a budget holds also where no two pictures are alike: each counts with what the service says that it costs', async () => {
  const engine = controlledEngine();
  const world = await botWorld({
    service: { engine, price: () => 4 },
    operatorLimits: { keyCreditsDay: 10 },
  });
  for (const steps of [20, 21]) {
    messageOf(await world.member.invoke(CHANNEL, 'imagine', { ...FOX, steps }));
    await engine.next();
  }
  const third = await world.member.invoke(CHANNEL, 'imagine', { ...FOX, steps: 22 });
  expect(refusal(third)).toContain('shared key’s budget of 10 credits');
});
