import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIChannel,
  APIGuildMember,
  APIMessage,
  APIModalInteractionResponseCallbackData,
  APIRole,
  APIUser,
} from 'discord-api-types/v10';

/** A file that a person picks on their machine. */
export interface Upload {
  name: string;
  bytes: Uint8Array;
  /** Taken from the bytes or the name when absent. */
  contentType?: string;
}

/** What a person gives for one option. Users, members, roles and channels are given by id. */
export type OptionValue = string | number | boolean | Upload;

/** By option name. Options of a subcommand stand here flat: the subcommand is part of the command's name. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/**
 * By `custom_id`: a text, the value of a radio group (an empty text for none), a checkbox, picked values (selects and
 * checkbox groups), or files. What is not named stays as the form shows it.
 */
export type ModalValues = Readonly<Record<string, string | readonly string[] | boolean | readonly Upload[]>>;

/** A server as one person sees it. */
export interface VisibleGuild {
  id: string;
  name: string;
  /** URL of a picture drawn by the local Discord itself. */
  iconUrl: string;
  /** Channels that the person may view, in their order. */
  channels: APIChannel[];
  members: APIGuildMember[];
  roles: APIRole[];
}

/**
 * A command as one person sees it in one channel. `name_localized` and `description_localized` follow their locale.
 */
export interface VisibleCommand extends APIApplicationCommand {
  /** Of the application that owns it. */
  application: { id: string; name: string; user: APIUser };
}

/** What became of an interaction that a person started: its first answer, or why there is none. */
export type InteractionResult =
  /** A new message (type 4), or the loading state (type 5): then `message.flags` has `MessageFlags.Loading`. */
  | { kind: 'message'; interactionId: string; message: APIMessage }
  /** The message with the component was changed (type 7). */
  | { kind: 'update'; interactionId: string; message: APIMessage }
  /** Nothing to see yet: the message with the component may change later (type 6). */
  | { kind: 'acknowledged'; interactionId: string }
  /** Type 9. Fill it in with `submitModal(interactionId, …)`. */
  | { kind: 'modal'; interactionId: string; modal: APIModalInteractionResponseCallbackData }
  /** No answer in 3 s, or no bot there. `text` is what Discord's client shows. */
  | { kind: 'failure'; interactionId: string; text: string };

export interface OpenModal {
  interactionId: string;
  channelId: string;
  /** Whose it is. */
  applicationId: string;
  modal: APIModalInteractionResponseCallbackData;
}

export interface AutocompleteResult {
  choices: APIApplicationCommandOptionChoice[];
  /** The bot did not answer in time: Discord's client shows 'Loading options failed'. */
  failed: boolean;
}

/** An event that one person sees. Ephemeral messages are visible to their reader only. */
export type UserClientEvent =
  | { type: 'message-created' | 'message-updated'; message: APIMessage }
  | { type: 'message-deleted'; channelId: string; messageId: string }
  /** An interaction of this person is on its way to the bot. By `nonce` its sender knows which of theirs it is. */
  | { type: 'interaction-sent'; interactionId: string; nonce: string | null }
  /** Somebody was added or removed, a channel came or went, rights changed: read `guilds()` again. */
  | { type: 'guilds-changed' }
  /** A bot registered or removed commands, came or went: read `commands()` again. */
  | { type: 'commands-changed' }
  /** This person chose another language: `commands()` are in it from now on. */
  | { type: 'locale-changed'; locale: string };

/**
 * One person in front of Discord, with the rules of Discord's client: they see what they may see, and a bot receives
 * from them only what a client can send. Messages, channels and commands are in Discord's wire shapes.
 *
 * @example
 * const member = discord.as('100000000000000001');
 * const answer = await member.invoke(channelId, 'feedback');
 * if (answer.kind === 'modal') await member.submitModal(answer.interactionId, { text: 'More cats, please.' });
 */
export interface UserClient {
  readonly user: APIUser;
  /** Language of this person's client, e.g. `en-US`: bots get it with every interaction. */
  readonly locale: string;
  /** Chooses another of Discord's languages. */
  changeLocale(locale: string): void;

  guilds(): VisibleGuild[];
  /** Conversations of this person: with bots, with people, and groups. */
  directMessages(): APIChannel[];
  /** The conversation with a bot, opened where there is none yet. Without `botId`: with the only bot. */
  openDirectMessage(botId?: string): APIChannel;

  /** Slash commands and context menus that this person may use in this channel, sorted by name. */
  commands(channelId: string): VisibleCommand[];
  /**
   * Oldest first; `limit` counts from the newest (default 50) or from `before` backwards. Ephemeral ones of their own
   * are in it.
   */
  messages(channelId: string, page?: { limit?: number; before?: string }): APIMessage[];
  /** One message, or `undefined` where this person cannot see it (any more). */
  message(messageId: string): APIMessage | undefined;

  say(channelId: string, content: string, uploads?: readonly Upload[]): Promise<APIMessage>;
  /** Answers a message in its channel; `mention: false` is 'Mention off' in Discord's client. */
  reply(messageId: string, content: string, options?: { mention?: boolean }): Promise<APIMessage>;
  /** Shows in a channel what stands in a message. */
  forward(messageId: string, channelId: string): APIMessage;
  /** Changes the text of one's own message. */
  edit(messageId: string, content: string): Promise<APIMessage>;
  /** Adds a reaction: an emoji of Unicode. */
  react(messageId: string, emoji: string): void;
  /** Takes back one's own reaction. */
  unreact(messageId: string, emoji: string): void;
  /**
   * Runs a slash command: `command` is its name with its subcommand, e.g. `ping`, `config server set`, or a
   * command's id. Resolves with the first answer; later edits come through `subscribe` and `messages`.
   * @throws {UserClientError} when Discord's client would not send it
   */
  invoke(
    channelId: string,
    command: string,
    options?: OptionValues,
    nonce?: string,
  ): Promise<InteractionResult>;
  /** Suggestions for the option `focused`, whose text so far is `options[focused]`. */
  autocomplete(
    channelId: string,
    command: string,
    options: OptionValues,
    focused: string,
  ): Promise<AutocompleteResult>;
  /** Runs a message or user context menu command on the message or user `targetId`. */
  invokeOn(channelId: string, command: string, targetId: string, nonce?: string): Promise<InteractionResult>;
  press(messageId: string, customId: string): Promise<InteractionResult>;
  /** Picks in a select menu: option values, or ids for user, role, mentionable and channel selects. */
  select(messageId: string, customId: string, values: readonly string[]): Promise<InteractionResult>;
  /** `interactionId` is the one that opened the modal. */
  submitModal(interactionId: string, values: ModalValues): Promise<InteractionResult>;
  /** Closes a modal unsent: the bot hears nothing of it. */
  closeModal(interactionId: string): void;
  /** The modal that this interaction opened and that is open still. */
  openModal(interactionId: string): OpenModal | undefined;
  /** 'Dismiss message' under an ephemeral answer. */
  dismiss(messageId: string): void;
  /** Deletes a message: one's own, or with Manage Messages anybody's. */
  deleteMessage(messageId: string): void;

  /** Calls `listener` with every event that this person sees, in order, until the returned function is called. */
  subscribe(listener: (event: UserClientEvent) => void): () => void;
  /**
   * The first message that this person sees and that `matches`: one that is there, or one that appears or changes.
   * @throws the signal's reason; without a signal it gives up after 10 s
   */
  waitForMessage(
    matches: (message: APIMessage) => boolean,
    options?: { channelId?: string; signal?: AbortSignal },
  ): Promise<APIMessage>;
}
