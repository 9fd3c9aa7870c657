import { expect, test } from 'vitest';
import { DrawingError } from '../../packages/image-service/src/engines/engine.ts';
import { failingEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';

const HOSTILE =
  '@everyone join discord.gg/evil or <https://discord.gg/evil> or [a bank](https://evil.example) `https://evil.example`';

/** What every world is asked at its end: `discord.unfurled()` is empty. */
test('invitations and links in a prompt are shown by no message, from the first state to /jobs', async () => {
  const world = await botWorld();
  const message = await world.imagined({ prompt: HOSTILE, negative_prompt: HOSTILE, size: '64x64' });
  expect(message.embeds[0]?.description).toContain('join discord\\.gg/evil');
  expect(message.mentions).toEqual([]);
  expect(message.mention_everyone).toBe(false);
  await run(world.member, 'jobs');
  await run(world.member, 'balance');
});

test('invitations and links in the words of the image service are shown by no message', async () => {
  const world = await botWorld({ service: { engine: failingEngine(new DrawingError(HOSTILE)) } });
  const message = await world.imagined({ prompt: HOSTILE, size: '64x64' });
  expect(message.content).toContain('It said: \\@everyone');
});

test('Show prompt gives the whole prompt to who asks, as a file where it does not fit', async () => {
  const world = await botWorld();
  const prompt = 'a red fox in the snow '.repeat(50).trim();
  const shown = await world.imagined({ prompt, size: '64x64' });
  const pressed = await world.member.press(shown.id, buttonOf(shown, 'Show prompt'));
  expect(pressed).toMatchObject({ kind: 'message', message: { embeds: [{ description: prompt }] } });
  const longest = 'discord.gg/x '.repeat(300).trim();
  const cut = await world.imagined({ prompt: longest, negative_prompt: longest, size: '64x64' });
  const answer = messageOf(await world.member.press(cut.id, buttonOf(cut, 'Show prompt')));
  const file = await world.attached(answer);
  expect(Buffer.from(file).toString()).toBe(`${longest}\n\nWithout: ${longest}`);
  expect(world.member.messages(CHANNEL).filter(({ flags }) => Number(flags) & 64)).toHaveLength(2);
});
