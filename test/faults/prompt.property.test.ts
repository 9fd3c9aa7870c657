import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  controlledEngine,
  failingEngine,
  instantEngine,
} from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { withoutRepeatedAnswers } from '../support/repeated-answers.ts';

const PROMPTS = 24;

/** Words with a meaning in Discord, and any characters at all. */
const words = fc.oneof(
  fc.constantFrom('@everyone', '@here', `<@${MODERATOR}>`, '<@&600000000000000001>', '<#500000000000000001>'),
  fc.constantFrom(
    '```',
    '||',
    '**',
    '# ',
    '[a](https://example.com)',
    '\u202E',
    '\u200B',
    '\u0000',
    'a\n\n> b',
    '🏳️‍🌈',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const prompts = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 80 }))
  .map(([parts, times]) => parts.join(' ').repeat(times).slice(0, 4_000))
  .filter((prompt) => prompt.trim() !== '');

test.each([
  ['comes out', instantEngine],
  ['fails', failingEngine],
])(
  'whatever its characters, a prompt whose picture %s makes no message that Discord refuses, and mentions nobody',
  async (_, engine) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const world = await botWorld({ service: { engine: engine() } });
    const samples = fc.sample(prompts, { numRuns: PROMPTS, seed });
    const begun: string[] = [];
    // One by one: of two dozen at once a busy machine answers some too late.
    for (const prompt of samples) {
      const options = { prompt, negative_prompt: prompt, size: '64x64' };
      const answer = await world.member.invoke(CHANNEL, 'imagine', options);
      if (answer.kind !== 'message')
        throw new Error(`${answer.kind} for ${JSON.stringify(prompt)}, seed ${seed}`);
      const isPrivate = answer.message.components?.length === 0 && answer.message.content !== '';
      if (!isPrivate) begun.push(answer.message.id);
    }
    for (const id of begun) await world.ended(id);
    const asked = withoutRepeatedAnswers(world.discord.requests.list());
    const refused = asked.filter(({ status }) => status !== null && status >= 400);
    expect(refused, `seed ${seed}`).toEqual([]);
    for (const message of world.member.messages(CHANNEL, { limit: 200 })) {
      // On a slow machine a picture takes a minute, after which its member is told of it.
      if (message.content === en.ready(`<@${MEMBER}>`, 1)) continue;
      expect(message.mention_everyone, `seed ${seed}`).toBe(false);
      expect([...message.mentions, ...message.mention_roles], `seed ${seed}`).toEqual([]);
    }
  },
);

test('a message of its own, after the reply is gone, mentions its member and nobody else', async () => {
  const engine = controlledEngine();
  const world = await botWorld({ service: { engine } });
  const prompt = `@everyone <@${MODERATOR}> a red fox`;
  const answer = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt }));
  const drawing = await engine.next();
  world.discord.world.deleteMessage(answer.id);
  await drawing.finish();
  const posted = await world.reads(`<@${MEMBER}>`);
  expect(posted.mention_everyone).toBe(false);
  expect(posted.mentions.map(({ id }) => id)).toEqual([MEMBER]);
});
