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
