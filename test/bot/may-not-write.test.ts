import { type APIMessage, PermissionFlagsBits } from 'discord.js';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  seesOutcome,
  smallWorld,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { en } from '../../src/messages/locale/en.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf, picked, underMore } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';

const FOX = { prompt: 'a red fox' };
const MUTED_ROLE = '600000000000000011';
const THREAD = '500000000000000011';
const { SendMessages, SendMessagesInThreads, UseApplicationCommands } = PermissionFlagsBits;

/** With a role that may write neither in the channel nor in its thread, which `mute` gives to the member. */
async function worldWithRole(deny = SendMessages | SendMessagesInThreads) {
  const guilds = (smallWorld.guilds ?? []).map((guild) =>
    guild.id === GUILD
      ? {
          ...guild,
          roles: [...(guild.roles ?? []), { id: MUTED_ROLE, name: 'muted', permissions: 0n }],
          channels: [...guild.channels, { id: THREAD, name: 'thread', parentId: CHANNEL }],
        }
      : guild,
  );
  const world = await botWorld({
    discord: { world: { ...smallWorld, guilds } },
    service: { engine: editingEngine() },
  });
  world.discord.world.setOverwrite(CHANNEL, { id: MUTED_ROLE, kind: 'role', deny });
  return {
    ...world,
    mute: () => world.discord.world.updateMember(GUILD, MEMBER, { roles: [MUTED_ROLE] }),
  };
}

const isPublic = (message: APIMessage): boolean => !isEphemeral(message);

const said = (answer: InteractionResult): string => plain(messageOf(answer).content);

/** What is answered to a form that was sent. */
function submit(
  member: UserClient,
  form: InteractionResult,
  fields: Record<string, string>,
): Promise<InteractionResult> {
  if (form.kind !== 'modal') throw new Error(form.kind);
  return member.submitModal(form.interactionId, fields);
}

const press = (
  { member }: Awaited<ReturnType<typeof worldWithRole>>,
  message: APIMessage,
  label: string,
): Promise<InteractionResult> => member.press(message.id, buttonOf(message, label));

test('who may not write in a channel has nothing posted there by a button, a menu or a form', async () => {
  const world = await worldWithRole(SendMessages | SendMessagesInThreads | UseApplicationCommands);
  const { member } = world;
  const own = await world.imagined({ ...FOX, private: true });
  const public_ = { user: world.as(MODERATOR) };
  const one = await world.imagined(FOX, public_);
  const two = await world.imagined({ ...FOX, count: 2 }, public_);
  world.mute();
  const refused = en.refusal.mayNotWrite;
  const before = member.messages(CHANNEL).filter(isPublic).length;

  expect(said(await press(world, one, en.source.upscale(2)))).toBe(refused);
  expect(said(await press(world, two, en.picture.again))).toBe(refused);
  const form = await press(world, one, en.actions.edit);
  const sent = await submit(member, form, { prompt: 'a blue fox' });
  expect(said(sent)).toBe(refused);
  const more = await underMore(one, member);
  expect(said(await press(world, more, en.source.upscale(4)))).toBe(refused);
  expect(said(await press(world, more, en.source.varyStrongly))).toBe(refused);
  const second = await picked(two, member, 2);
  expect(said(await press(world, second, en.actions.postAlone))).toBe(refused);
  expect(said(await press(world, own, en.actions.publish))).toBe(refused);
  expect(member.messages(CHANNEL).filter(isPublic)).toHaveLength(before);

  // What was typed is kept; shown to themselves, it may be made.
  const kept = await press(world, messageOf(sent), en.editForm.edit);
  expect(JSON.stringify(kept)).toContain('a blue fox');
  const hidden = await submit(member, kept, { prompt: 'a blue fox --private' });
  await seesOutcome(member, messageOf(hidden).id);
  await seesOutcome(member, messageOf(await press(world, own, en.source.upscale(2))).id);
});

test('in a thread it counts whether somebody may write in threads', async () => {
  const world = await worldWithRole(SendMessagesInThreads);
  const inThread = await world.imagined(FOX, { user: world.as(MODERATOR), channelId: THREAD });
  const outside = await world.imagined(FOX, { user: world.as(MODERATOR) });
  world.mute();
  expect(said(await press(world, inThread, en.source.upscale(2)))).toBe(en.refusal.mayNotWrite);
  await world.ended(messageOf(await press(world, outside, en.source.upscale(2))).id);
  world.discord.world.setOverwrite(CHANNEL, { id: MUTED_ROLE, kind: 'role', deny: SendMessages });
  await world.ended(messageOf(await press(world, inThread, en.source.upscale(2))).id);
});

test('in a channel for commands alone, a command works, and so does what its answer asks', async () => {
  const world = await worldWithRole();
  const { member } = world;
  world.mute();
  await world.imagined(FOX);
  const asked = await member.invoke(CHANNEL, 'imagine', { prompt: 'a {red, blue} fox' });
  await world.ended(messageOf(await confirmed(asked, member)).id);
  const wrong = messageOf(await member.invoke(CHANNEL, 'imagine', { ...FOX, size: 'no size' }));
  const form = await press(world, wrong, en.editForm.edit);
  await world.ended(messageOf(await submit(member, form, { prompt: 'a fox', size: '64x64' })).id);
});
