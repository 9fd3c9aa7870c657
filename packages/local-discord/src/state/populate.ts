import { randomBytes } from 'node:crypto';
import { ChannelType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { PRIVILEGED_INTENTS } from '../rules/intents.ts';
import type { World, WorldGuild } from '../world.ts';
import { guildChannel, newChannel } from './channels.ts';
import { newMember } from './members.ts';
import type { Guild, State } from './state.ts';
import { newUser } from './users.ts';

/** What `@everyone` may in a new server of Discord's client. */
const EVERYONE =
  P.ViewChannel |
  P.CreateInstantInvite |
  P.SendMessages |
  P.SendMessagesInThreads |
  P.CreatePublicThreads |
  P.CreatePrivateThreads |
  P.MentionEveryone |
  P.SendVoiceMessages |
  P.SendPolls |
  P.UseExternalStickers |
  P.Connect |
  P.Speak |
  P.Stream |
  P.UseVAD |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseExternalEmojis |
  P.UseApplicationCommands |
  P.UseExternalApps |
  P.ChangeNickname;

/** Adds what `world` describes and `state` does not have yet. Which bots there are, only the world says. */
export function populate(state: State, world: World, now: number): void {
  for (const id of state.applications.keys()) {
    if (!world.applications.some((seed) => seed.id === id)) state.applications.delete(id);
  }
  for (const seed of world.applications) {
    state.applications.set(seed.id, {
      description: '',
      token: state.applications.get(seed.id)?.token ?? createBotToken(seed.id),
      ownerId: world.users[0]?.id ?? seed.id,
      privilegedIntents: PRIVILEGED_INTENTS,
      emojis: [],
      ...seed,
    });
    addUser(state, { id: seed.id, username: seed.name.toLowerCase(), displayName: seed.name, bot: true });
  }
  for (const user of world.users) addUser(state, { displayName: user.username, ...user });
  for (const seed of world.guilds ?? []) {
    if (!state.guilds.has(seed.id)) addGuild(state, seed, now);
  }
  for (const { id, recipients, name } of world.privateChannels ?? []) {
    if (state.channels.has(id)) continue;
    const type = recipients.length > 2 ? ChannelType.GroupDM : ChannelType.DM;
    state.channels.set(id, newChannel({ id, type, name: name ?? null, recipients }));
  }
}

function addUser(state: State, user: Parameters<typeof newUser>[0]): void {
  if (!state.users.has(user.id)) state.users.set(user.id, newUser(user));
}

function addGuild(state: State, seed: WorldGuild, now: number): void {
  const everyone = { id: seed.id, name: '@everyone', permissions: EVERYONE, color: 0 };
  const owner = seed.members.some(({ userId }) => userId === seed.ownerId) ? [] : [{ userId: seed.ownerId }];
  const guild: Guild = {
    id: seed.id,
    name: seed.name,
    ownerId: seed.ownerId,
    locale: seed.locale ?? 'en-US',
    roles: [everyone, ...(seed.roles ?? []).map((role) => ({ color: 0, ...role }))],
    members: [...owner, ...seed.members].map((member) => newMember({ joinedAt: now, ...member })),
    bans: [],
    blockedWords: seed.blockedWords ?? [],
  };
  state.guilds.set(guild.id, guild);
  for (const channel of seed.channels) state.channels.set(channel.id, guildChannel(guild, channel, now));
}

/** A bot token in Discord's form: the application's id, a time and a secret. */
function createBotToken(applicationId: string): string {
  const id = Buffer.from(applicationId).toString('base64url');
  return `${id}.${randomBytes(4).toString('base64url')}.${randomBytes(28).toString('base64url')}`;
}
