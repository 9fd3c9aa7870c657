import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ComponentType,
  InteractionType,
} from 'discord-api-types/v10';
import { memberOf } from '../rules/permissions.ts';
import { guildOf } from '../state/channels.ts';
import type { Channel, Message, Owners } from '../state/state.ts';
import { findCommand, type UsableCommand } from './commands.ts';
import { findComponent, pickValues } from './components.ts';
import { fillModal } from './modal-fields.ts';
import { openSubcommand, toApiOptions, toAutocompleteOptions } from './options.ts';
import { createResolved } from './resolved.ts';
import { createInteractionSender, type SenderServices } from './send-interaction.ts';
import type {
  AutocompleteResult,
  InteractionResult,
  ModalValues,
  OpenModal,
  OptionValues,
} from './shapes.ts';
import { UserClientError } from './user-client-error.ts';
import type { Visibility } from './visibility.ts';

/** Commands, components and modals, as one person uses them. */
export function createInteractionMethods({
  visibility,
  ...services
}: SenderServices & { visibility: Visibility }) {
  const { context, interactions, user } = services;
  const { state } = context;
  const { send, modal } = createInteractionSender(services);

  const resolvedFor = (channel: Channel, applicationId: string) =>
    createResolved({ context, channel, userId: user.id, applicationId });

  /** What an interaction with a command says, whether the command is used or still typed. */
  function ofCommand({ command, owners, words }: UsableCommand, channel: Channel, data: object) {
    const { id, name, type, guild_id } = command;
    return {
      applicationId: command.application_id,
      channel,
      owners,
      command: { name: [name, ...words].join(' '), type },
      data: { id, name, type, ...(guild_id && { guild_id }), ...data },
    };
  }

  function slashCommand(channelId: string, text: string) {
    const channel = visibility.channel(channelId);
    const found = findCommand(context, user, channel, text, [ApplicationCommandType.ChatInput]);
    return { channel, found, ...openSubcommand(found.command.options, found.words) };
  }

  async function useComponent(
    messageId: string,
    customId: string,
    dataOf: (message: Message, channel: Channel) => Promise<object>,
  ): Promise<InteractionResult> {
    const message = visibility.message(messageId);
    const channel = visibility.channel(message.channelId);
    const component = findComponent(message, customId);
    const data = { custom_id: customId, component_type: component.type, id: component.id };
    await interactions.untilOutcomeRead(message.interaction?.id);
    return send({
      type: InteractionType.MessageComponent,
      applicationId: applicationOf(message),
      channel,
      owners: message.interaction?.owners ?? ownersOf(channel, applicationOf(message)),
      message,
      data: { ...data, ...(await dataOf(message, channel)) },
    });
  }

  /** Whose buttons a message has: its author's, or those of the bot that made the webhook. */
  const applicationOf = ({ webhook, authorId }: Message): string => webhook?.applicationId ?? authorId;

  /** Through what a bot's message without an interaction belongs to a place. */
  function ownersOf(channel: Channel, applicationId: string): Owners {
    const guild = guildOf(state, channel);
    const inGuild = guild && memberOf(guild, applicationId);
    return { [ApplicationIntegrationType.GuildInstall]: inGuild ? guild.id : '0' };
  }

  return {
    /**
     * Runs a slash command: `text` is its name with its subcommand, e.g. `ping`, `config server set`, or a command's
     * id. Resolves with the first answer; later edits come through `subscribe` and `messages`.
     * @throws {UserClientError} when Discord's client would not send it
     */
    async invoke(
      channelId: string,
      text: string,
      options: OptionValues = {},
      nonce?: string,
    ): Promise<InteractionResult> {
      const { channel, found, leaf, nest } = slashCommand(channelId, text);
      const resolved = resolvedFor(channel, found.command.application_id);
      const sent = nest(toApiOptions(leaf, options, resolved));
      const data = { ...(sent.length > 0 && { options: sent }), ...(await resolved.data()) };
      return send({ type: InteractionType.ApplicationCommand, ...ofCommand(found, channel, data) }, nonce);
    },

    /** Runs a message or user context menu command on the message or user `targetId`. */
    async invokeOn(
      channelId: string,
      name: string,
      targetId: string,
      nonce?: string,
    ): Promise<InteractionResult> {
      const channel = visibility.channel(channelId);
      const { Message, User } = ApplicationCommandType;
      const types = state.messages.has(targetId) ? [Message, User] : [User, Message];
      const found = findCommand(context, user, channel, name, types);
      const resolved = resolvedFor(channel, found.command.application_id);
      if (found.command.type === ApplicationCommandType.Message) {
        resolved.message(visibility.message(targetId).id);
      } else if (!resolved.user(targetId)) {
        throw new UserClientError('unknown', 'unknownUser', { id: targetId });
      }
      const data = { target_id: targetId, ...(await resolved.data()) };
      return send({ type: InteractionType.ApplicationCommand, ...ofCommand(found, channel, data) }, nonce);
    },

    /** Suggestions for the option `focused`, whose text so far is `options[focused]`. */
    async autocomplete(
      channelId: string,
      text: string,
      options: OptionValues,
      focused: string,
    ): Promise<AutocompleteResult> {
      const { channel, found, leaf, nest } = slashCommand(channelId, text);
      const { sent, suggestsFor } = toAutocompleteOptions(leaf, options, focused);
      const { answer } = interactions.start({
        type: InteractionType.ApplicationCommandAutocomplete,
        userId: user.id,
        forcedEphemeral: false,
        suggestsFor,
        ...ofCommand(found, channel, { options: nest(sent) }),
      });
      const first = await answer;
      return first.kind === 'choices'
        ? { choices: first.choices, failed: false }
        : { choices: [], failed: true };
    },

    async press(messageId: string, customId: string): Promise<InteractionResult> {
      const { type } = findComponent(visibility.message(messageId), customId);
      if (type !== ComponentType.Button) throw new UserClientError('invalid', 'noButton', {}, customId);
      return useComponent(messageId, customId, async () => ({}));
    },

    /** Picks in a select menu: option values, or ids for user, role, mentionable and channel selects. */
    async select(messageId: string, customId: string, values: readonly string[]): Promise<InteractionResult> {
      const select = findComponent(visibility.message(messageId), customId);
      if (select.type === ComponentType.Button) throw new UserClientError('invalid', 'button', {}, customId);
      return useComponent(messageId, customId, async (message, channel) => {
        const resolved = resolvedFor(channel, applicationOf(message));
        return { values: pickValues(select, values, resolved), ...(await resolved.data()) };
      });
    },

    /** `interactionId` is the one that opened the modal. */
    async submitModal(interactionId: string, values: ModalValues): Promise<InteractionResult> {
      const current = modal.get(interactionId);
      if (!current) throw new UserClientError('unknown', 'formClosed');
      const { form, from } = current;
      const channel = visibility.channel(form.channelId);
      const resolved = resolvedFor(channel, from.applicationId);
      const components = fillModal(form.modal, values, resolved);
      const message = state.messages.get(from.sourceMessageId ?? '');
      const answer = await send({
        type: InteractionType.ModalSubmit,
        applicationId: from.applicationId,
        channel,
        owners: from.owners,
        trigger: from,
        ...(message && { message }),
        data: { custom_id: form.modal.custom_id, components, ...(await resolved.data()) },
      });
      // Discord's client keeps a modal whose answer did not come, so that nothing typed is lost.
      if (answer.kind !== 'failure') modal.close(interactionId);
      return answer;
    },

    /** Closes a modal unsent: the bot hears nothing of it. */
    closeModal: modal.close,

    /** The modal that this interaction opened and that is open still. */
    openModal: (id: string): OpenModal | undefined => modal.get(id)?.form,
  };
}
