import {
  ApplicationIntegrationType,
  type BaseInteraction,
  InteractionType,
  MessageFlags,
  OAuth2Scopes,
  PermissionsBitField,
  type PermissionsString,
} from 'discord.js';
import { channelOf, type InteractionChannel } from './interaction-channel.ts';

/** What is allowed where a command was invoked, by the bit sets of the interaction. */
export type Permissions = ReturnType<typeof permissionsOf>;

export const permissionsOf = (interaction: BaseInteraction) => ({
  /** False in direct messages. */
  callerHas: (right: PermissionsString): boolean => interaction.memberPermissions?.has(right) ?? false,
  /** Whether the caller may write there. True outside of servers. */
  callerMayWrite(): boolean {
    const { guildId, memberPermissions } = interaction;
    const inThread = channelOf(interaction).parentId !== undefined;
    return guildId === null || !!memberPermissions?.has(inThread ? 'SendMessagesInThreads' : 'SendMessages');
  },
  /**
   * Whether this is a command, which Discord keeps from whoever may use none there, or goes on from one: a form that
   * it opened, or what stands under its private answer. Any other press Discord lets everybody make who can read
   * (discord/discord-api-docs#3115).
   */
  goesOnFromCommand(): boolean {
    if (interaction.isCommand()) return true;
    if (interaction.isModalSubmit() && !interaction.message) return true;
    if (!interaction.isMessageComponent() && !interaction.isModalSubmit()) return false;
    const { message } = interaction;
    const answered = message?.interactionMetadata?.type;
    return (
      answered === InteractionType.ApplicationCommand && message?.flags.has(MessageFlags.Ephemeral) === true
    );
  },
  /** Permissions to post that the bot lacks, by Discord's names. Empty where it does not post as a member. */
  botLacks(): PostingPermission[] {
    // In a user install the bot is not a member, so the user's permissions apply.
    const { guildId, authorizingIntegrationOwners: owners, appPermissions } = interaction;
    const isMember = guildId !== null && owners[ApplicationIntegrationType.GuildInstall] !== undefined;
    return isMember ? missingToPost(appPermissions, channelOf(interaction)) : [];
  },
});

/** Where one of them is missing, a picture could not be shown, or not be found again when it was. */
const NEEDED_TO_POST = [
  'ViewChannel',
  'SendMessages',
  'AttachFiles',
  'EmbedLinks',
  'ReadMessageHistory',
] as const satisfies readonly PermissionsString[];

/** Without it nobody reads the messages of a voice channel ('Message', Get Channel Messages). */
const NEEDED_IN_VOICE = 'Connect' satisfies PermissionsString;
type PostingPermission = (typeof NEEDED_TO_POST)[number] | typeof NEEDED_IN_VOICE;

/** What the bot asks for when it is invited. */
export const NEEDED_PERMISSIONS = [...NEEDED_TO_POST, 'SendMessagesInThreads'] as const;

/**
 * Those that are missing among `held`, what the bot may in one channel. In a thread `SendMessagesInThreads` counts in
 * place of `SendMessages`; what kind of channel it is, discord.js does not tell without caching channels, so that
 * either is taken for enough.
 */
export function missingToPost(
  held: PermissionsBitField,
  { voice }: Pick<InteractionChannel, 'voice'> = {},
): PostingPermission[] {
  const mayPost = held.any(['SendMessages', 'SendMessagesInThreads']);
  const needed: readonly PostingPermission[] = voice ? [...NEEDED_TO_POST, NEEDED_IN_VOICE] : NEEDED_TO_POST;
  return needed.filter((name) => !(name === 'SendMessages' ? mayPost : held.has(name)));
}

/** Adds the bot to a server with exactly the permissions it needs. */
export function inviteUrl(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' '),
    permissions: `${PermissionsBitField.resolve([...NEEDED_PERMISSIONS])}`,
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}
