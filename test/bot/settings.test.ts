import { join } from 'node:path';
import { silentLog } from '@darkroom/testing';
import { ChannelType, ComponentType, MessageFlags, PermissionFlagsBits, Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OUTSIDER,
  refusalOfPick,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
  STAFF_ROLE,
  smallWorld,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { BLOCKED_WORDS } from '../../src/guilds/guild-settings.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openStore, type Store } from '../../src/storage/store.ts';
import { type BotWorld, type BotWorldOptions, botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow, pressedTwice } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { menuIn, openPanel } from '../support/settings-panel.ts';

const FOX = { prompt: 'a red fox' };
const { settings } = en;

/** What only the caller reads of an answer that came at once. */
function said(answer: InteractionResult): string {
  const { flags, content } = messageOf(answer);
  expect(Number(flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  return plain(content);
}

/** What only the caller reads of a pick that is refused. */
async function refused(user: UserClient, pick: Promise<InteractionResult>): Promise<string> {
  const { flags, content } = await refusalOfPick(user, pick);
  expect(Number(flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  return plain(content);
}

/** A server whose moderator has its panel open. */
async function panelWorld(options: BotWorldOptions = {}) {
  const world = await botWorld(options);
  const moderator = world.as(MODERATOR);
  return {
    ...world,
    ...(await openPanel(moderator)),
    moderator,
    asks: (
      options = {},
      { user = world.member, channelId = CHANNEL }: { user?: UserClient; channelId?: string } = {},
    ) => user.invoke(channelId, 'imagine', { ...FOX, ...options }),
  };
}

test('only who manages the server opens its panel, and only while they do', async () => {
  const world = await panelWorld();
  expect((await run(world.member, 'settings panel')).content).toBe(en.refusal.needsManageServer);
  await world.open('limits');
  world.discord.world.updateMember(GUILD, MODERATOR, { roles: [] });
  const { moderator } = world;
  const picked = moderator.select(world.panel().id, 'settings:section', ['general']);
  expect(await refused(moderator, picked)).toBe(en.refusal.needsManageServer);
  expect(said(await world.press(settings.limitForms.member))).toBe(en.refusal.needsManageServer);
});

test('a form that was open when its right was taken away changes nothing', async () => {
  const world = await panelWorld();
  await world.open('limits');
  const opened = await world.press(settings.limitForms.guild);
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  world.discord.world.updateMember(GUILD, MODERATOR, { roles: [] });
  const answer = await world.moderator.submitModal(opened.interactionId, { guildDay: '1' });
  expect(said(answer)).toBe(en.refusal.needsManageServer);
  await world.imagined({ ...FOX, count: 2 });
});

test('pictures are asked for in the channels that are allowed, and by those with one of the roles', async () => {
  const world = await panelWorld();
  expect(await world.picked('channels', 'access', SECOND_CHANNEL)).toContain(`<#${SECOND_CHANNEL}>`);
  expect(said(await world.asks())).toBe(en.rules.channels([`<#${SECOND_CHANNEL}>`]));
  const drawn = await world.imagined(FOX, { channelId: SECOND_CHANNEL });

  expect(await world.picked('roles', 'access', STAFF_ROLE)).toContain(`<@&${STAFF_ROLE}>`);
  const again = await world.member.press(drawn.id, buttonOf(drawn, en.picture.again));
  expect(said(again)).toBe(en.rules.roles([`<@&${STAFF_ROLE}>`]));
  await world.imagined(FOX, { user: world.moderator, channelId: SECOND_CHANNEL });

  await world.picked('channels', 'access');
  await world.picked('roles', 'access');
  await world.imagined(FOX);
});

test('whoever picks @everyone among the roles shuts nobody out', async () => {
  const world = await panelWorld();
  await world.picked('roles', 'access', GUILD);
  expect(messageOf(await world.asks()).content).not.toBe(en.rules.roles([`<@&${GUILD}>`]));
});

test('threads of an allowed channel are allowed with it, and those of others are not', async () => {
  const [allowed, other] = ['500000000000000011', '500000000000000012'];
  const threads = [
    { id: allowed, name: 'of second', parentId: SECOND_CHANNEL },
    { id: other, name: 'of general', parentId: CHANNEL },
  ];
  const guilds = (smallWorld.guilds ?? []).map((guild) =>
    guild.id === GUILD ? { ...guild, channels: [...guild.channels, ...threads] } : guild,
  );
  const world = await panelWorld({ discord: { world: { ...smallWorld, guilds } } });
  await world.picked('channels', 'access', SECOND_CHANNEL);
  const drawn = await world.imagined(FOX, { channelId: allowed });
  await world.ended(messageOf(await world.member.press(drawn.id, buttonOf(drawn, en.picture.again))).id);
  expect(said(await world.asks({}, { channelId: other }))).toBe(en.rules.channels([`<#${SECOND_CHANNEL}>`]));
});

test('a forum is allowed with its posts, and a voice channel with its chat', async () => {
  const [forum, post, voice] = ['500000000000000011', '500000000000000012', '500000000000000013'];
  const channels = [
    { id: forum, name: 'art', type: ChannelType.GuildForum },
    { id: post, name: 'foxes', parentId: forum },
    { id: voice, name: 'talk', type: ChannelType.GuildVoice },
  ];
  const guilds = (smallWorld.guilds ?? []).map((guild) =>
    guild.id === GUILD ? { ...guild, channels: [...guild.channels, ...channels] } : guild,
  );
  const world = await panelWorld({ discord: { world: { ...smallWorld, guilds } } });
  expect(await world.picked('channels', 'access', forum, voice)).toContain(`<#${forum}>, <#${voice}>`);
  await world.imagined(FOX, { channelId: post });
  await world.imagined(FOX, { channelId: voice });
  expect(said(await world.asks())).toBe(en.rules.channels([`<#${forum}>`, `<#${voice}>`]));
});

test('in the chat of a voice channel the bot needs Connect as well, and says so before it draws', async () => {
  const voice = '500000000000000013';
  const guilds = (smallWorld.guilds ?? []).map((guild) =>
    guild.id === GUILD
      ? { ...guild, channels: [...guild.channels, { id: voice, name: 'talk', type: ChannelType.GuildVoice }] }
      : guild,
  );
  const world = await panelWorld({ discord: { world: { ...smallWorld, guilds } } });
  for (const channelId of [voice, CHANNEL])
    world.discord.world.deny(channelId, BOT, PermissionFlagsBits.Connect);
  const { Connect } = en.permissions;
  expect(said(await world.asks({}, { channelId: voice }))).toContain(Connect);
  await world.imagined(FOX, { channelId: CHANNEL });
});

test('a channel that is deleted later says so', async () => {
  const world = await panelWorld();
  await world.picked('channels', 'access', SECOND_CHANNEL, CHANNEL);
  world.discord.world.deleteChannel(SECOND_CHANNEL);
  expect(await world.open('access')).toContain(`${settings.deleted(SECOND_CHANNEL)}, <#${CHANNEL}>`);
});

test('what a member leaves out is as the server has decided, and nothing is larger or finer than it allows', async () => {
  const world = await panelWorld();
  await world.picked('defaultWorkflow', 'pictures', 'anime');
  await world.picked('defaultSize', 'pictures', '768x512');
  const drawn = await world.imagined(FOX);
  expect(drawn.embeds[0]?.footer?.text).toMatch(/768 × 512.*anime/);
  const fine = await world.imagined({ ...FOX, steps: 30 });

  await world.open('limits');
  const tooSmall = world.pick('largestSize', 'limits', ['512x512']);
  expect(await refused(world.moderator, tooSmall)).toBe(settings.defaultTooLarge);
  await world.picked('largestSize', 'limits', '768x512');
  await world.picked('mostSteps', 'limits', '10');
  expect(said(await world.asks({ size: '1024x1024' }))).toBe(en.rules.largestSize('1024x1024', '768x512'));
  expect(said(await world.asks({ steps: 11 }))).toBe(en.rules.mostSteps(11, 10));
  const varied = messageOf(await world.member.press(fine.id, buttonOf(fine, en.actions.vary)));
  expect(varied.content).toBe(en.rules.mostSteps(30, 10));
  expect(buttonOf(varied, en.actions.edit)).toBeDefined();
  await world.imagined({ ...FOX, size: '512x768', steps: 10 });
});

test('a moderator picks which workflows are allowed, and what counts without a word is one of them', async () => {
  const world = await panelWorld();
  const all = `**${settings.names.workflows}:** ${settings.everyWorkflow}`;
  expect(await world.open('pictures')).toContain(all);
  expect(await world.picked('workflows', 'pictures', 'anime', 'rr3')).toContain('anime, rr3');
  const offered = JSON.stringify(world.panel().components);
  expect(offered).toContain(`${settings.names.defaultWorkflow}: rr3`);
  expect(offered).not.toContain(`${settings.names.defaultWorkflow}: z-image`);
  expect((await world.imagined(FOX)).embeds[0]?.footer?.text).toContain('anime');
  await world.picked('defaultWorkflow', 'pictures', 'rr3');
  expect((await world.imagined(FOX)).embeds[0]?.footer?.text).toContain('rr3');
  const without = world.pick('workflows', 'pictures', ['anime']);
  expect(await refused(world.moderator, without)).toBe(settings.defaultNotOffered);
  expect(said(await world.asks({ workflow: 'default' }))).toBe(
    en.rules.workflow('default', ['anime', 'rr3']),
  );
  await world.picked('defaultWorkflow', 'pictures', '-');
  expect(await world.picked('workflows', 'pictures')).toContain(all);
  await world.imagined({ ...FOX, workflow: 'default' });
});

test('who leaves out size and steps is not refused where less is allowed than is usual', async () => {
  const operatorLimits = { largestSize: { width: 256, height: 256 }, mostSteps: 15 };
  const world = await panelWorld({ operatorLimits });
  await world.picked('mostSteps', 'limits', '10');
  const drawn = await world.imagined(FOX);
  expect(drawn.attachments[0]).toMatchObject({ width: 256, height: 256 });
});

test('pictures are private where the server says so, unless the member says otherwise', async () => {
  const world = await panelWorld();
  expect(world.shown(await world.press(settings.toggle.privateByDefault(false)))).toContain(
    `**${settings.names.privateByDefault}:** ${settings.on}`,
  );
  const hidden = await world.imagined(FOX);
  expect(Number(hidden.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  const open = await world.imagined({ ...FOX, private: false });
  expect(Number(open.flags) & MessageFlags.Ephemeral).toBe(0);
});

test('while it is paused nobody gets a new picture, also not by a button', async () => {
  const world = await panelWorld();
  const drawn = await world.imagined(FOX);
  world.shown(await world.press(settings.toggle.paused(false)));
  expect(said(await world.asks({}, { user: world.moderator }))).toBe(en.rules.paused);
  expect(said(await world.member.press(drawn.id, buttonOf(drawn, en.picture.again)))).toBe(en.rules.paused);
  world.shown(await world.press(settings.toggle.paused(true)));
  await world.imagined(FOX);
});

test('a button of the panel that is pressed twice, or by two managers, does what it says', async () => {
  const world = await panelWorld();
  await pressedTwice(world.panel(), settings.toggle.paused(false), world.moderator);
  expect(said(await world.asks())).toBe(en.rules.paused);
});

test('blocked words are refused in every text, and words that cannot be blocked are not taken', async () => {
  const world = await panelWorld();
  const drawn = await world.imagined(FOX);
  await world.open('moderation');
  const filled = await world.fill(settings.names.blockedWords, { words: 'Fox\n\u202etiger, wol*\n Fox ' });
  expect(world.shown(filled)).toContain('`wol*`');
  expect(said(await world.asks())).toBe(en.rules.blockedWord('Fox'));
  expect(said(await world.asks({ prompt: 'a cat', negative_prompt: 'wolves' }))).toContain('wol');
  expect(said(await world.asks({ prompt: 'a tig\u200ber' }))).toContain('tiger');
  expect(said(await world.member.press(drawn.id, buttonOf(drawn, en.picture.again)))).toBe(
    en.rules.blockedWord('Fox'),
  );
  const tooMany = Array.from({ length: 201 }, (_, nth) => `w${nth}`).join(',');
  for (const [words, sentence] of [
    ['**', settings.noWord('\\*\\*', 60)],
    ['x'.repeat(61), settings.noWord('x'.repeat(61), 60)],
    [tooMany, settings.tooManyWords(200)],
  ] as const) {
    expect(said(await world.fill(settings.names.blockedWords, { words }))).toBe(sentence);
  }
  world.shown(await world.fill(settings.names.blockedWords, { words: '' }));
  await world.imagined(FOX);
});

test('a word that cannot be blocked takes none of the others away', async () => {
  const world = await panelWorld();
  await world.open('moderation');
  const typed = { words: 'fox\n**\nwol*' };
  const refused = messageOf(await world.fill(settings.names.blockedWords, typed));
  const again = await world.moderator.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(again)).toContain(JSON.stringify(typed.words));
});

test('what was typed into a form of limits can be had back, and all that is wrong is said at once', async () => {
  const world = await panelWorld();
  await world.open('limits');
  const typed = { openRequests: '3', memberHour: 'ä: 10', memberDay: '0' };
  const refused = messageOf(await world.fill(settings.limitForms.member, typed));
  expect(refused.content.split('\n')).toEqual([
    settings.noLimit(settings.limits.memberHour, 1_000_000),
    settings.noLimit(settings.limits.memberDay, 1_000_000),
  ]);
  const again = await world.moderator.press(refused.id, buttonOf(refused, en.editForm.edit));
  expect(JSON.stringify(again)).toMatch(/"value":"3".*"value":"ä: 10".*"value":"0"/);
});

test('the panel shows what holds, and says where the operator has decided it', async () => {
  const world = await panelWorld({ operatorLimits: { memberDay: 5, guildDay: 100, mostSteps: 30 } });
  const unset = await world.open('limits');
  expect(unset).toContain(`**${settings.limits.memberDay}:** ${settings.ofOperator('5')}`);
  expect(unset).toContain(`**${settings.limits.memberHour}:** ${settings.unlimited}`);
  const filled = await world.fill(settings.limitForms.guild, { guildDay: '7' });
  expect(world.shown(filled)).toContain(`**${settings.limits.guildDay}:** 7`);
  expect(await world.open('limits')).toContain(
    `**${settings.names.mostSteps}:** ${settings.ofOperator('30')}`,
  );
});

test('limits are typed into forms; what is no number is refused, and what is empty is not limited', async () => {
  const world = await panelWorld();
  await world.open('limits');
  const wrong = ['0', '-1', '1.5', 'many', '9'.repeat(7), '１'];
  for (const memberDay of wrong) {
    const answer = await world.fill(settings.limitForms.member, { memberDay });
    expect(said(answer)).toBe(settings.noLimit(settings.limits.memberDay, 1_000_000));
  }
  const filled = await world.fill(settings.limitForms.member, { memberDay: ' 1 ' });
  expect(world.shown(filled)).toContain(`**${settings.limits.memberDay}:** 1`);
  await world.imagined(FOX);
  expect(said(await world.asks())).toContain('limit of 1 picture');
  await world.imagined(FOX, { user: world.moderator });
  world.shown(await world.fill(settings.limitForms.member, { memberDay: '' }));
  await world.imagined(FOX);
});

test('what everybody reads is in the language of the server, what one member reads in theirs', async () => {
  const world = await panelWorld();
  await world.picked('locale', 'general', 'de');
  const drawn = await world.imagined(FOX);
  expect(() => buttonOf(drawn, de.picture.again)).not.toThrow();
  expect(said(await world.asks({ size: 'huge' }))).toBe(
    `${en.typed.unknown('`huge`', undefined)} ${en.refusal.size(Object.values(en.sizes), 64, 2_048)}`,
  );
});

test('every change is told in the log channel, with who made it', async () => {
  const world = await panelWorld();
  await world.picked('logChannelId', 'moderation', SECOND_CHANNEL);
  await world.open('general');
  world.shown(await world.press(settings.toggle.paused(false)));
  const told = await world.reads(`**${settings.names.paused}**`);
  expect(told.channel_id).toBe(SECOND_CHANNEL);
  expect(told.content).toContain(`<@${MODERATOR}>`);
});

test('for one pick Discord is asked once what there is in the server, because it waits for the answer', async () => {
  const world = await panelWorld();
  await world.open('moderation');
  const looks = () =>
    world.discord.requests.list(({ path }) => path.endsWith(`/guilds/${GUILD}/channels`)).length;
  const before = looks();
  world.shown(await world.pick('logChannelId', 'moderation', [SECOND_CHANNEL]));
  expect(looks() - before).toBe(1);
});

test('a channel of another server is not taken, nor one where Discord cannot say what is there', async () => {
  const world = await panelWorld();
  await world.open('moderation');
  // Where the bot was removed Discord tells it nothing any more.
  world.discord.world.kick(GUILD, '300000000000000001');
  const pick = world.pick('logChannelId', 'moderation', [SECOND_CHANNEL]);
  expect(await refused(world.moderator, pick)).toBe(settings.idsUnknown);
});

test('a pick that is refused is shown no more, and the next one of its menu counts', async () => {
  const world = await panelWorld();
  await world.open('moderation');
  const menuId = () => menuIn(world.panel(), 'logChannelId', 'moderation');
  const before = menuId();
  world.discord.world.updateMember(GUILD, MODERATOR, { roles: [] });
  const pick = await world.moderator.select(world.panel().id, before, [SECOND_CHANNEL]);
  expect(await refused(world.moderator, Promise.resolve(pick))).toBe(en.refusal.needsManageServer);
  world.discord.world.updateMember(GUILD, MODERATOR, { roles: [STAFF_ROLE] });
  world.shown(pick);
  // A desktop keeps what was picked under the same id.
  expect(menuId()).not.toBe(before);
  const next = await world.moderator.select(world.panel().id, menuId(), [SECOND_CHANNEL]);
  expect(world.shown(next)).toContain(`<#${SECOND_CHANNEL}>`);
});

test('an allowed channel that is hidden from the bot says so, and stays when others are changed', async () => {
  const channels = [SECOND_CHANNEL, CHANNEL];
  const world = await panelWorld({ storeUrl: await storeWithSettings({ channels }) });
  const third = world.discord.world.addChannel(GUILD, { name: 'third' });
  world.discord.world.deny(SECOND_CHANNEL, BOT, PermissionFlagsBits.ViewChannel);
  const unseen = settings.unseen(`<#${SECOND_CHANNEL}>`);
  const line = (...shown: string[]) => `**${settings.names.channels}:** ${shown.join(', ')}\n`;
  const shown = await world.open('access');
  expect(shown).toContain(line(unseen, `<#${CHANNEL}>`));
  expect(shown).toContain(settings.unseenStay);
  const more = await world.pick('channels', 'access', [CHANNEL, third]);
  expect(world.shown(more)).toContain(line(unseen, `<#${CHANNEL}>`, `<#${third}>`));
  expect(world.shown(await world.pick('channels', 'access', []))).toContain(line(unseen));
});

test('a channel that is hidden from the bot can be allowed', async () => {
  const world = await panelWorld();
  const picked = await world.picked('channels', 'access', STAFF_CHANNEL);
  expect(picked).toContain(settings.unseen(`<#${STAFF_CHANNEL}>`));
});

test('a channel that is hidden from the bot is not taken for what it posts, and it says what to do', async () => {
  const world = await panelWorld();
  await world.open('moderation');
  for (const name of ['logChannelId', 'reportChannelId']) {
    const pick = world.pick(name, 'moderation', [STAFF_CHANNEL]);
    expect(await refused(world.moderator, pick)).toBe(en.refusal.unseen(`<#${STAFF_CHANNEL}>`));
  }
});

test('a list that a menu cannot show, as Discord does not say what is there, cannot be replaced by it', async () => {
  const world = await panelWorld({ storeUrl: await storeWithSettings({ channels: [CHANNEL] }) });
  const every = ({ path }: { path: string }) => path.endsWith(`/guilds/${GUILD}/channels`);
  world.discord.faults.add({ every, effect: { status: 500, body: {} } });
  expect(await world.open('access')).toContain(`<#${CHANNEL}>`);
  await expect(world.pick('channels', 'access', [SECOND_CHANNEL])).rejects.toThrow('This is disabled.');
});

test('a moderator blocks a member for a time, and whoever may not is told which right is missing', async () => {
  const world = await panelWorld();
  const drawn = await world.imagined(FOX);
  await world.openCommands();
  const refusedFor = async (command: string) =>
    (await run(world.member, command, { member: MEMBER })).content;
  expect(await refusedFor('moderate block')).toBe(en.refusal.needsModerateMembers);
  const blocked = await run(world.moderator, 'moderate block', { member: MEMBER, hours: 1 });
  expect(blocked.content).toMatch(new RegExp(`^<@${MEMBER}> .+ ends <t:\\d+:R>`));
  expect(said(await world.asks())).toMatch(/ends <t:\d+:R>/);
  expect(said(await world.asks({ private: true }))).toMatch(/ends <t:\d+:R>/);
  expect(said(await world.member.press(drawn.id, buttonOf(drawn, en.picture.again)))).toMatch(/ends <t:/);
  expect(await refusedFor('moderate unblock')).toBe(en.refusal.needsModerateMembers);
  expect(await world.open('moderation')).toContain(`<@${MEMBER}>`);
  expect((await run(world.moderator, 'moderate unblock', { member: MEMBER })).content).toBe(
    en.moderate.unblocked(`<@${MEMBER}>`),
  );
  expect((await run(world.moderator, 'moderate unblock', { member: MEMBER })).content).toBe(
    en.moderate.notBlocked(`<@${MEMBER}>`),
  );
  await world.imagined(FOX);
});

test('who is blocked stands in the panel, however many and however long the blocked words are', async () => {
  const blockedWords = Array.from(
    { length: BLOCKED_WORDS.most },
    (_, nth) => `${'\u0406'.repeat(BLOCKED_WORDS.characters - 3)}${nth}`,
  );
  const world = await panelWorld({ storeUrl: await storeWithSettings({ blockedWords }) });
  await run(world.moderator, 'moderate block', { member: MEMBER, hours: 1 });
  const shown = await world.open('moderation');
  expect(shown).toContain(`<@${MEMBER}>`);
  expect(shown).toMatch(/\u0406+0`.*, … \+\d+$/m);
});

test('menus and buttons that somebody has forged change nothing', async () => {
  const world = await panelWorld();
  const session = await world.login();
  onTestFinished(() => session.destroy());
  const places = Array.from({ length: 25 }, (_, nth) => `${5_000_000_000_000_001_00n + BigInt(nth)}`);
  const forged: Record<string, string[]> = {
    'settings:pick:channels:access': [OTHER_CHANNEL, SECOND_CHANNEL],
    'settings:pick:roles:access': places,
    'settings:pick:logChannelId:moderation': [CHANNEL, SECOND_CHANNEL],
    'settings:pick:reportChannelId:moderation': [OTHER_CHANNEL],
    'settings:pick:flagged:moderation': ['never'],
    'settings:pick:defaultWorkflow:pictures': ['__proto__'],
    'settings:pick:workflows:pictures': ['anime', 'elsewhere'],
    'settings:pick:largestSize:limits': ['999999x999999'],
    'settings:pick:mostSteps:limits': ['-1'],
    'settings:pick:defaultSize:pictures': ['512x512', '64x64'],
    'settings:pick:locale:general': ['xx'],
    'settings:pick:paused:general': ['true'],
    'settings:pick:toString': ['x'],
    'settings:constructor': ['x'],
  };
  const menus = Object.entries(forged).map(([id, values]) => ({
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: id,
        max_values: values.length,
        options: values.map((value) => ({ label: value, value })),
      },
    ],
  }));
  for (const [nth, [id, values]] of Object.entries(forged).entries()) {
    const body = { content: 'forged', components: [menus[nth]] };
    // Discord's answer is the message.
    const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
    const pick = world.moderator.select(message.id, id, values);
    expect(await refused(world.moderator, pick), id).not.toBe('');
  }
  const buttons = ['settings:toggle:limits', 'settings:toggle:__proto__', 'settings:limits:toString'];
  const body = { content: 'forged', components: [buttonRow(...buttons).toJSON()] };
  const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  for (const id of buttons) {
    expect(said(await world.moderator.press(message.id, id))).toBe(en.refusal.unknownComponent);
  }
  const written = await withStore(world, (store) => store.collection('guild-settings', z.unknown()).list());
  expect(written).toEqual([]);
});

test('who may not manage a server changes nothing by what they have forged', async () => {
  const world = await panelWorld();
  const session = await world.login();
  onTestFinished(() => session.destroy());
  const plant = async (component: object) => {
    const components = [{ type: ComponentType.ActionRow, components: [component] }];
    const body = { content: 'forged', components };
    // Discord's answer is the message.
    return (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  };
  const menus: Record<string, string> = {
    'settings:section': 'limits',
    'settings:pick:channels:access': SECOND_CHANNEL,
    'settings:pick:logChannelId:moderation': SECOND_CHANNEL,
    'settings:pick:reportChannelId:moderation': SECOND_CHANNEL,
    'settings:pick:flagged:moderation': 'show',
    'settings:pick:largestSize:limits': '512x512',
    'settings:pick:locale:general': 'de',
  };
  for (const [custom_id, value] of Object.entries(menus)) {
    const options = [{ label: value, value }];
    const { id } = await plant({ type: ComponentType.StringSelect, custom_id, options });
    const pick = world.member.select(id, custom_id, [value]);
    expect(await refused(world.member, pick), custom_id).toBe(en.refusal.needsManageServer);
  }
  for (const custom_id of ['settings:toggle:paused', 'settings:limits:member', 'settings:words']) {
    const { id } = await plant({ type: ComponentType.Button, style: 1, label: 'x', custom_id });
    expect(said(await world.member.press(id, custom_id)), custom_id).toBe(en.refusal.needsManageServer);
  }
  const { id } = await plant({
    type: ComponentType.Button,
    style: 1,
    label: 'x',
    custom_id: 'moderate:reports',
  });
  expect(said(await world.member.press(id, 'moderate:reports'))).toBe(en.refusal.needsModerateMembers);
  const written = await withStore(world, (store) => store.collection('guild-settings', z.unknown()).list());
  expect(written).toEqual([]);
});

test('settings that cannot be read any more let nobody ask until a moderator has set them again', async () => {
  const world = await panelWorld();
  await world.picked('mostSteps', 'limits', '10');
  await withStore(world, (store) =>
    store.collection('guild-settings', z.unknown()).set(GUILD, { paused: 'perhaps' }),
  );
  expect(said(await world.asks())).toBe(en.rules.unreadable);
  expect(await world.open('general')).toContain(settings.unreadable);
  await world.picked('mostSteps', 'limits', '20');
  expect(said(await world.asks())).toBe(en.rules.paused);
  await world.open('general');
  expect(world.shown(await world.press(settings.toggle.paused(true)))).not.toContain(settings.unreadable);
  expect(said(await world.asks({ steps: 21 }))).toBe(en.rules.mostSteps(21, 20));
  await world.imagined(FOX);
});

test('a block that cannot be read any more holds until a moderator lifts it', async () => {
  const world = await panelWorld();
  await withStore(world, (store) =>
    store.collection('blocked', z.unknown()).set(`${GUILD}:${MEMBER}`, 'torn'),
  );
  for (let nth = 0; nth < 2; nth++) expect(said(await world.asks())).toBe(en.rules.blocked(undefined));
  expect(await world.open('moderation')).toContain(`<@${MEMBER}>`);
  await run(world.moderator, 'moderate unblock', { member: MEMBER });
  await world.imagined(FOX);
});

test('a budget of the server key that is left empty is none, whatever the operator limits', async () => {
  const world = await panelWorld();
  await world.open('limits');
  const described = async (form: 'member' | 'guild' | 'key') => {
    const opened = await world.press(settings.limitForms[form]);
    if (opened.kind !== 'modal') throw new Error(opened.kind);
    return new Set(opened.modal.components.map((field) => 'description' in field && field.description));
  };
  expect(await described('key')).toEqual(new Set([settings.emptyIsUnlimited]));
  expect(await described('guild')).toEqual(new Set([settings.emptyIsOperators]));
});

test('a budget of credits counts what pictures have cost once that is known, and says when it starts anew', async () => {
  const world = await panelWorld({ operatorKey: null });
  const opened = await world.moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(world.moderator, opened, world.service.key), world.moderator);
  await world.open('limits');
  world.shown(await world.fill(settings.limitForms.key, { keyCreditsDay: '1' }));
  await world.imagined({ ...FOX, count: 2 });
  const day = new Date(world.clock.now()).setUTCHours(24, 0, 0, 0);
  expect(said(await world.asks())).toBe(en.limits.reached('key', 'credit', 1, `<t:${day / 1_000}:R>`));
  expect(await world.pictures()).toHaveLength(2);
});

/** As another program that opens the bot's store. */
async function withStore<Result>(
  { folder }: Pick<BotWorld, 'folder'>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ url: `sqlite://${join(folder, 'bot.sqlite')}`, log: silentLog() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

test('in a server that the bot is not in nothing is set, and nobody is kept in order', async () => {
  const world = await botWorld();
  const owner = world.as(OUTSIDER);
  world.discord.world.setInstalled(OUTSIDER, BOT, true);
  const panel = await run(owner, 'settings panel');
  world.discord.world.kick(GUILD, BOT);
  // For a minute an answer of Discord holds.
  world.clock.advance(2 * 60_000);
  const pressed = await owner.press(panel.id, buttonOf(panel, settings.toggle.paused(false)));
  expect(said(pressed)).toBe(en.refusal.nothingKeptHere);
  const { content: moderated } = await run(owner, 'moderate unblock', { member: MEMBER });
  expect(moderated).toBe(en.refusal.nothingKeptHere);
  for (const command of ['settings panel', 'settings check', 'moderate stop']) {
    expect((await run(owner, command)).content).toBe(en.refusal.nothingKeptHere);
  }
});

test('nor is it in a server that has the commands alone', async () => {
  const world = await botWorld();
  world.discord.world.kick(GUILD, BOT);
  world.discord.world.setInstalled(GUILD, BOT, true);
  const moderator = world.as(MODERATOR);
  const { content: blocked } = await run(moderator, 'moderate block', { member: MEMBER });
  expect(blocked).toBe(en.refusal.nothingKeptHere);
  expect(world.discord.requests.list(({ path }) => path === '/users/@me/guilds')).toHaveLength(1);
  expect((await run(moderator, 'settings panel')).content).toBe(en.refusal.nothingKeptHere);
  expect(world.discord.requests.list(({ path }) => path === '/users/@me/guilds')).toHaveLength(1);
});
