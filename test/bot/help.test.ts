import { expect, test } from 'vitest';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run } from '../support/ephemeral-reply.ts';

test('/help teaches in three screens, and its commands can be clicked', async () => {
  const { member } = await botWorld();
  const shown = await run(member, 'help');
  const screen = () => member.message(shown.id)?.embeds[0];
  expect(screen()?.title).toBe('Make a picture');
  expect(screen()?.description).toMatch(/Type <\/imagine:\d+> and what you want to see/);
  await member.press(shown.id, buttonOf(shown, 'What you can type'));
  expect(screen()?.description).toContain('`--ar 3:2`');
  await member.press(shown.id, buttonOf(shown, 'Keys & privacy'));
  expect(screen()?.description).toMatch(/<\/balance:\d+> shows your credits/);
});

test('/help tells who manages a server what they can decide and how the bot is set up, and nobody else', async () => {
  const { member, as } = await botWorld();
  const seenBy = async (who: typeof member) => (await run(who, 'help')).embeds[0]?.description;
  const manager = await seenBy(as(MODERATOR));
  for (const told of ['`darkroom setup`', '</settings panel:', '</moderate reports:', '</usage:'])
    expect(manager).toContain(told);
  expect(await seenBy(member)).not.toMatch(/setup|settings panel|moderate/);
});

test('an example of /help is made at once, for everybody to see', async () => {
  const world = await botWorld();
  const shown = await run(world.member, 'help');
  const answer = messageOf(await world.member.press(shown.id, buttonOf(shown, 'Try example 2')));
  const picture = await world.ended(answer.id, world.as(MODERATOR));
  expect(picture.embeds[0]?.description).toContain('a lighthouse at night');
  expect(picture.content).toContain(`<@${MEMBER}>`);
});

test('a double click on an example makes one picture', async () => {
  const { member } = await botWorld();
  const shown = await run(member, 'help');
  const example = buttonOf(shown, 'Try example 2');
  const answers = await Promise.all([member.press(shown.id, example), member.press(shown.id, example)]);
  expect(answers.filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

test('a key is linked from /help', async () => {
  const { member } = await botWorld({ operatorKey: null });
  const shown = await run(member, 'help');
  await member.press(shown.id, buttonOf(shown, 'Keys & privacy'));
  const keys = member.message(shown.id) ?? shown;
  const opened = await member.press(keys.id, buttonOf(keys, 'Link a key'));
  expect(opened).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
});

test('/help speaks German to who does', async () => {
  const { member } = await botWorld({ discord: { world: worldWhere(MEMBER, 'de') } });
  expect((await run(member, 'help')).embeds[0]?.title).toBe('Ein Bild machen');
  expect(member.messages(CHANNEL)).toHaveLength(1);
});
