import {
  ApplicationCommandType,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits as P,
  type RESTPostAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { expect, test } from 'vitest';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OTHER_GUILD,
  OUTSIDER,
  PRIVATE_CHANNEL,
  refusalOf,
  type TestDiscord,
  worldWhere,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const ping: RESTPostAPIApplicationCommandsJSONBody = { name: 'ping', description: 'Answers.' };
const text = (name: string, extra: object = {}) => ({
  type: Option.String,
  name,
  description: 'd',
  ...extra,
});
const put = (body: unknown) => world.rest.put(Routes.applicationCommands(BOT), { body });
const names = (userId: string, channelId: string) =>
  world.discord
    .as(userId)
    .commands(channelId)
    .map(({ name }) => name);

test('commands are registered, listed, changed and removed, and keep their ids', async () => {
  world = await openLocalDiscord();
  const [first] = (await put([ping])) as { id: string }[];
  const [again] = (await put([{ ...ping, description: 'New.' }])) as { id: string }[];
  expect(again?.id).toBe(first?.id);
  const made = (await world.rest.post(Routes.applicationCommands(BOT), {
    body: { name: 'pong', description: 'd' },
  })) as { id: string };
  const one = Routes.applicationCommand(BOT, made.id);
  expect(
    await world.rest.patch(one, { body: { description: 'changed', default_member_permissions: '32' } }),
  ).toMatchObject({
    name: 'pong',
    description: 'changed',
    default_member_permissions: '32',
  });
  expect(await world.rest.get(Routes.applicationCommands(BOT))).toHaveLength(2);
  const taken = world.rest.patch(one, { body: { name: 'ping' } });
  expect(await refusalOf(taken)).toMatchObject({ code: 50035, errors: { name: {} } });
  await world.rest.delete(one);
  expect(await refusalOf(world.rest.get(one))).toMatchObject({ status: 404, code: 10063 });
  expect(await put([])).toEqual([]);
});

test('discord.js registers commands, and names them in every language', async () => {
  world = await openLocalDiscord({ world: worldWhere(MODERATOR, 'de') });
  const client = await world.login();
  const body = { ...ping, description_localizations: { de: 'Antwortet.' } };
  await client.application.commands.set([body, { name: 'Look up', type: ApplicationCommandType.User }]);
  await client.application.commands.create({ ...body, name: 'here' }, GUILD);
  expect(names(MEMBER, CHANNEL)).toEqual(['here', 'Look up', 'ping']);
  const localised = world.discord
    .as(MODERATOR)
    .commands(CHANNEL)
    .find(({ name }) => name === 'ping');
  expect(localised).toMatchObject({ description_localized: 'Antwortet.', application: { id: BOT } });
  const listed = (await world.rest.get(Routes.applicationCommands(BOT))) as object[];
  expect(JSON.stringify(listed)).not.toContain('Antwortet.');
});

test.each<[string, object, path: string]>([
  ['a name with capitals', { ...ping, name: 'Ping' }, '0.name'],
  ['a name with a space', { ...ping, name: 'pi ng' }, '0.name'],
  ['no description', { name: 'ping' }, '0.description'],
  ['a description over 100', { ...ping, description: 'x'.repeat(101) }, '0.description'],
  [
    'a required option after an optional one',
    { ...ping, options: [text('a'), text('b', { required: true })] },
    '0.options.1',
  ],
  ['an option name twice', { ...ping, options: [text('a'), text('a')] }, '0.options.1'],
  [
    'choices with autocomplete',
    { ...ping, options: [text('a', { autocomplete: true, choices: [{ name: 'n', value: 'v' }] })] },
    '0.options.0.autocomplete',
  ],
  [
    'a choice whose value has over 100 characters',
    { ...ping, options: [text('a', { choices: [{ name: 'n', value: 'v'.repeat(101) }] })] },
    '0.options.0.choices.0.value',
  ],
  [
    'a blank choice',
    { ...ping, options: [text('a', { choices: [{ name: ' ', value: 'v' }] })] },
    '0.options.0.choices.0.name',
  ],
  ['26 options', { ...ping, options: Array.from({ length: 26 }, (_, n) => text(`o${n}`)) }, '0.options'],
  [
    'an option beside a subcommand',
    { ...ping, options: [{ type: Option.Subcommand, name: 's', description: 'd' }, text('a')] },
    '0.options.1.type',
  ],
  ['an unknown locale', { ...ping, name_localizations: { xx: 'ping' } }, '0.name_localizations'],
  [
    'a name with capitals in a language',
    { ...ping, name_localizations: { de: 'Ping' } },
    '0.name_localizations.de',
  ],
  [
    'an option whose name has a space in a language',
    { ...ping, options: [text('a', { name_localizations: { de: 'zwei Worte' } })] },
    '0.options.0.name_localizations.de',
  ],
  ['a context menu without a name', { name: '  ', type: ApplicationCommandType.Message }, '0.name'],
  [
    'a context menu whose name is too long in a language',
    { name: 'Quote', type: ApplicationCommandType.Message, name_localizations: { de: 'x'.repeat(33) } },
    '0.name_localizations.de',
  ],
  [
    'a context menu with options',
    { name: 'Quote', type: ApplicationCommandType.Message, options: [text('a')] },
    '0.options',
  ],
  ['a context menu with a description', { ...ping, type: ApplicationCommandType.User }, '0.description'],
])('%s is refused with 50035 at its field', async (_name, command, path) => {
  world = await openLocalDiscord();
  const refused = await refusalOf(put([command]));
  expect(refused).toMatchObject({ status: 400, code: 50035 });
  const leaf = path.split('.').reduce<unknown>((node, key) => Reflect.get(Object(node), key), refused.errors);
  expect(leaf).toHaveProperty('_errors');
});

test('a command of more than 8000 characters, two of one name, a 101st, and a 16th context menu are refused', async () => {
  world = await openLocalDiscord();
  const choice = (n: number) => ({ name: `${n}`.padEnd(80, 'x'), value: `${n}`.padEnd(80, 'y') });
  const choices = Array.from({ length: 25 }, (_, n) => choice(n));
  const large = { ...ping, options: [text('a', { choices }), text('b', { choices })] };
  expect(await refusalOf(put([{ ...large, options: [...large.options, text('c')] }]))).toMatchObject({
    code: 50035,
  });
  expect(await refusalOf(put([ping, ping]))).toMatchObject({ code: 50035, errors: { 1: {} } });
  const many = Array.from({ length: 101 }, (_, n) => ({ ...ping, name: `c${n}` }));
  expect(await refusalOf(put(many))).toMatchObject({ status: 400, code: 30032 });
  const menus = Array.from({ length: 16 }, (_, n) => ({
    name: `Quote this ${n}`,
    type: ApplicationCommandType.Message,
  }));
  expect(await put(menus.slice(1))).toHaveLength(15);
  expect(await refusalOf(put(menus))).toMatchObject({ status: 400, code: 30032 });
  expect(await refusalOf(put({ name: 'no list' }))).toMatchObject({ code: 50035 });
});

test('commands of another application or a foreign server are out of reach', async () => {
  world = await openLocalDiscord();
  const foreign = world.rest.put(Routes.applicationCommands('300000000000000009'), { body: [] });
  expect(await refusalOf(foreign)).toMatchObject({ status: 403, code: 50001 });
  const elsewhere = world.rest.put(Routes.applicationGuildCommands(BOT, '400000000000000002'), { body: [] });
  expect(await refusalOf(elsewhere)).toMatchObject({ code: 50001 });
});

test('a member sees only the commands that their permissions, the place and the installation allow', async () => {
  world = await openLocalDiscord();
  await put([
    { ...ping, name: 'all' },
    { ...ping, name: 'moderators', default_member_permissions: String(P.ManageGuild) },
    { ...ping, name: 'admins', default_member_permissions: '0' },
    { ...ping, name: 'servers', contexts: [InteractionContextType.Guild] },
    { ...ping, name: 'anywhere', integration_types: [0, 1], contexts: [0, 1, 2] },
  ]);
  expect(names(MEMBER, CHANNEL)).toEqual(['all', 'anywhere', 'servers']);
  expect(names(MODERATOR, CHANNEL)).toEqual(['all', 'anywhere', 'moderators', 'servers']);
  expect(names(OUTSIDER, CHANNEL)).toEqual(['admins', 'all', 'anywhere', 'moderators', 'servers']);
  expect(names(MEMBER, OTHER_CHANNEL)).toEqual([]);
  world.discord.world.setInstalled(MEMBER, BOT, true);
  expect(names(MEMBER, OTHER_CHANNEL)).toEqual(['anywhere']);
  expect(names(MEMBER, PRIVATE_CHANNEL)).toEqual(['anywhere']);
  expect(names(MEMBER, world.discord.as(MEMBER).openDirectMessage().id)).toEqual([
    'admins',
    'all',
    'anywhere',
    'moderators',
  ]);
  await expect(world.discord.as(MEMBER).invoke(CHANNEL, 'moderators')).rejects.toMatchObject({
    reason: 'unknown',
  });
});

test('an age-restricted command is there in an age-restricted channel, and in its threads', async () => {
  world = await openLocalDiscord();
  await put([{ ...ping, nsfw: true }]);
  const { addChannel } = world.discord.world;
  const channel = addChannel(GUILD, { name: 'restricted', nsfw: true });
  const thread = addChannel(GUILD, { name: 'thread', parentId: channel });
  expect([CHANNEL, channel, thread].map((id) => names(MEMBER, id))).toEqual([[], ['ping'], ['ping']]);
});

test('where a command can be used is kept of global ones alone', async () => {
  world = await openLocalDiscord();
  const body = [{ ...ping, contexts: [0], integration_types: [0, 1], dm_permission: false }];
  expect(await put(body)).toMatchObject(body);
  const [ofGuild] = (await world.rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body })) as object[];
  expect(ofGuild).toMatchObject({ ...ping, guild_id: GUILD });
  for (const field of ['contexts', 'integration_types', 'dm_permission']) {
    expect(ofGuild).not.toHaveProperty(field);
  }
});

test('a server has the commands of an app that was added without its bot', async () => {
  world = await openLocalDiscord();
  await put([ping]);
  world.discord.world.setInstalled(OTHER_GUILD, BOT, true);
  const owners: unknown[] = [];
  await world.serve(async (i) => {
    owners.push(i.authorizingIntegrationOwners.guildId);
    if (i.isChatInputCommand()) await i.reply('here');
  });
  await world.discord.as(MEMBER).invoke(OTHER_CHANNEL, 'ping');
  expect(owners).toEqual([OTHER_GUILD]);
  expect(await world.rest.get(Routes.userGuilds())).toMatchObject([{ id: GUILD }]);
  world.discord.world.setInstalled(OTHER_GUILD, BOT, false);
  expect(world.discord.as(MEMBER).commands(OTHER_CHANNEL)).toEqual([]);
});

test('without Use External Apps the answers of an app that is not in the server are ephemeral', async () => {
  world = await openLocalDiscord();
  await put([{ ...ping, integration_types: [1] }]);
  world.discord.world.setInstalled(MEMBER, BOT, true);
  world.discord.world.deny(OTHER_CHANNEL, MEMBER, P.UseExternalApps);
  await world.serve(async (i) => i.isChatInputCommand() && i.reply('for whom?'));
  await world.discord.as(MEMBER).invoke(OTHER_CHANNEL, 'ping');
  expect(world.discord.as(MEMBER).messages(OTHER_CHANNEL)).toHaveLength(1);
  expect(world.discord.as(OUTSIDER).messages(OTHER_CHANNEL)).toEqual([]);
});

test('options arrive as they were given, checked by their kind', async () => {
  world = await openLocalDiscord();
  await put([
    {
      ...ping,
      options: [
        text('word', { required: true, min_length: 2, max_length: 4 }),
        { type: Option.Integer, name: 'whole', description: 'd', min_value: 1, max_value: 9 },
        { type: Option.Number, name: 'real', description: 'd' },
        { type: Option.Boolean, name: 'flag', description: 'd' },
        { type: Option.User, name: 'user', description: 'd' },
        { type: Option.Channel, name: 'channel', description: 'd' },
        { type: Option.Attachment, name: 'file', description: 'd' },
        text('pick', { choices: [{ name: 'One', value: '1' }] }),
      ],
    },
  ]);
  const seen: unknown[] = [];
  const { errors } = await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const file = i.options.getAttachment('file', true);
    seen.push(
      i.options.getString('word'),
      i.options.getInteger('whole'),
      i.options.getNumber('real'),
      i.options.getBoolean('flag'),
      i.options.getUser('user')?.username,
      i.options.getChannel('channel')?.id,
      await (await fetch(file.url)).text(),
      i.options.getString('pick'),
    );
    await i.reply('ok');
  });
  const member = world.discord.as(MEMBER);
  const file = { name: 'graph.json', bytes: new TextEncoder().encode('{}') };
  const good = {
    word: 'abc',
    whole: '7',
    real: 1.5,
    flag: true,
    user: MODERATOR,
    channel: CHANNEL,
    file,
    pick: 'One',
  };
  await member.invoke(CHANNEL, 'ping', good);
  expect(errors).toEqual([]);
  expect(seen).toEqual(['abc', 7, 1.5, true, 'moderator', CHANNEL, '{}', '1']);

  const bad = [
    [{ ...good, word: 'a' }, 'word'],
    [{ ...good, whole: 10 }, 'whole'],
    [{ ...good, whole: 1.5 }, 'whole'],
    [{ ...good, real: 'x' }, 'real'],
    [{ ...good, user: '123456789012345678' }, 'user'],
    [{ ...good, file: { ...file, bytes: new Uint8Array(11 * 1024 * 1024) } }, 'file'],
    [{ ...good, pick: 'Two' }, 'pick'],
    [{ ...good, extra: 1 }, 'extra'],
    [{}, 'word'],
  ] as const;
  for (const [options, field] of bad) {
    await expect(member.invoke(CHANNEL, 'ping', options)).rejects.toMatchObject({ reason: 'invalid', field });
  }
});

test('subcommands are called by their words', async () => {
  world = await openLocalDiscord();
  const sub = (name: string) => ({
    type: Option.Subcommand,
    name,
    description: 'd',
    options: [text('value')],
  });
  const group = { type: Option.SubcommandGroup, name: 'server', description: 'd', options: [sub('set')] };
  await put([{ ...ping, name: 'key', options: [sub('show'), group] }]);
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const words = [i.options.getSubcommandGroup(), i.options.getSubcommand(), i.options.getString('value')];
    await i.reply(words.join(' '));
  });
  const member = world.discord.as(MEMBER);
  expect(await member.invoke(CHANNEL, 'key show')).toMatchObject({ message: { content: 'show' } });
  expect(await member.invoke(CHANNEL, '/key server set', { value: 'x' })).toMatchObject({
    message: { content: 'server set x' },
  });
  await expect(member.invoke(CHANNEL, 'key')).rejects.toMatchObject({ reason: 'unknown' });
  await expect(member.invoke(CHANNEL, 'key hide')).rejects.toMatchObject({ reason: 'unknown' });
});

test('context menus run on a message and on a user', async () => {
  world = await openLocalDiscord();
  await put([
    { name: 'Quote', type: ApplicationCommandType.Message },
    { name: 'Greet', type: ApplicationCommandType.User },
  ]);
  await world.serve(async (i) => {
    if (i.isMessageContextMenuCommand()) await i.reply(i.targetMessage.content);
    if (i.isUserContextMenuCommand()) await i.reply(i.targetUser.username);
  });
  const member = world.discord.as(MEMBER);
  const { id } = await world.discord.as(MODERATOR).say(CHANNEL, 'quote me');
  expect(await member.invokeOn(CHANNEL, 'Quote', id)).toMatchObject({ message: { content: 'quote me' } });
  expect(await member.invokeOn(CHANNEL, 'Greet', MODERATOR)).toMatchObject({
    message: { content: 'moderator' },
  });
});

test('commands of one name are told apart by their type, their place and their id', async () => {
  world = await openLocalDiscord();
  const menus = [ApplicationCommandType.User, ApplicationCommandType.Message].map((type) => ({
    name: 'ping',
    type,
  }));
  await put([ping, ...menus]);
  const own = await world.rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body: [ping] });
  await world.serve(async (i) => {
    if (i.isCommand())
      await i.reply(`${i.commandType} ${i.command?.guildId ?? i.commandGuildId ?? 'global'}`);
  });
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'x');
  expect(names(MEMBER, CHANNEL)).toEqual(['ping', 'ping', 'ping', 'ping']);
  const answer = (content: string) => ({ message: { content } });
  expect(await member.invokeOn(CHANNEL, 'ping', MEMBER)).toMatchObject(answer('2 global'));
  expect(await member.invokeOn(CHANNEL, 'ping', id)).toMatchObject(answer('3 global'));
  expect(await member.invoke(CHANNEL, 'ping')).toMatchObject(answer(`1 ${GUILD}`));
  const global = member.commands(CHANNEL).find(({ type, guild_id }) => type === 1 && !guild_id);
  expect(await member.invoke(CHANNEL, global?.id ?? '')).toMatchObject(answer('1 global'));
  expect(own).toHaveLength(1);
});

test('a command for private channels may be of an app that nobody can install to an account', async () => {
  world = await openLocalDiscord();
  const contexts = [InteractionContextType.PrivateChannel];
  expect(await put([{ ...ping, contexts, integration_types: [0] }])).toMatchObject([{ contexts }]);
  expect(names(MEMBER, PRIVATE_CHANNEL)).toEqual([]);
});
