import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ComponentType,
  InteractionType,
} from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { memberOf } from '../rules/permissions.ts';
import type { Channel, Message, Owners, User } from '../state/state.ts';
import { findCommand, type UsableCommand } from './commands.ts';
import { findComponent, pickValues } from './components.ts';
import type { Answer, AutocompleteAnswer, Hand } from './hand.ts';
import { fillModal } from './modal-fields.ts';
import { openSubcommand, sendOptions, sendTyped } from './options.ts';
import { Refusal } from './refusal.ts';
import { createResolved } from './resolved.ts';
import { createSending } from './sending.ts';
import type { Sight } from './sight.ts';
import type { Watching } from './watching.ts';

type Interacting = Pick<
  Hand,
  'invoke' | 'invokeOn' | 'autocomplete' | 'press' | 'select' | 'submitModal' | 'closeModal' | 'openModal'
>;

/** Commands, components and modals, as one person uses them. */
export function createInteracting({
  core,
  interactions,
  user,
  sight,
  watching,
}: {
  core: Core;
  interactions: Interactions;
  user: User;
  sight: Sight;
  watching: Watching;
}): Interacting {
  const { state } = core;
  const { send, modal } = createSending({ core, interactions, user, watching });

  function head({ command }: UsableCommand) {
    const { id, name, type, guild_id } = command;
    return { id, name, type, ...(guild_id && { guild_id }) };
  }

  function nameOf({ command, words }: UsableCommand) {
    return { name: [command.name, ...words].join(' '), type: command.type };
  }

  function useCommand(found: UsableCommand, channel: Channel, data: object): Promise<Answer> {
    return send({
      type: InteractionType.ApplicationCommand,
      applicationId: found.command.application_id,
      channel,
      owners: found.owners,
      command: nameOf(found),
      data: { ...head(found), ...data },
    });
  }

  async function useComponent(
    messageId: string,
    customId: string,
    dataOf: (message: Message, channel: Channel) => object,
  ): Promise<Answer> {
    const message = sight.message(messageId);
    const channel = sight.channel(message.channelId);
    const component = findComponent(message, customId);
    const data = { custom_id: customId, component_type: component.type, id: component.id };
    return send({
      type: InteractionType.MessageComponent,
      applicationId: message.authorId,
      channel,
      owners: message.interaction?.owners ?? ownersOf(channel, message.authorId),
      message,
      data: { ...data, ...dataOf(message, channel) },
    });
  }

  /** Through what a bot's message without an interaction belongs to a place. */
  function ownersOf(channel: Channel, applicationId: string): Owners {
    const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
    const inGuild = guild && memberOf(guild, applicationId);
    return { [ApplicationIntegrationType.GuildInstall]: inGuild ? guild.id : '0' };
  }

  return {
    async invoke(channelId, text, options = {}) {
      const channel = sight.channel(channelId);
      const found = findCommand(core, user, channel, text, 'slash');
      const { leaf, nest } = openSubcommand(found.command.options, found.words);
      const resolved = createResolved({ core, channel, userId: user.id });
      const sent = nest(await sendOptions(leaf, options, resolved));
      return useCommand(found, channel, { ...(sent.length > 0 && { options: sent }), ...resolved.data() });
    },

    async invokeOn(channelId, name, targetId) {
      const channel = sight.channel(channelId);
      const found = findCommand(core, user, channel, name, 'menu');
      const resolved = createResolved({ core, channel, userId: user.id });
      if (found.command.type === ApplicationCommandType.Message) {
        resolved.message(sight.message(targetId).id);
      } else if (!resolved.user(targetId)) {
        throw new Refusal('unknown', `There is no user ${targetId}.`);
      }
      return useCommand(found, channel, { target_id: targetId, ...resolved.data() });
    },

    async autocomplete(channelId, text, options, focused): Promise<AutocompleteAnswer> {
      const channel = sight.channel(channelId);
      const found = findCommand(core, user, channel, text, 'slash');
      const { leaf, nest } = openSubcommand(found.command.options, found.words);
      const { answer } = interactions.start({
        type: InteractionType.ApplicationCommandAutocomplete,
        applicationId: found.command.application_id,
        userId: user.id,
        channel,
        owners: found.owners,
        forcedEphemeral: false,
        command: nameOf(found),
        data: { ...head(found), options: nest(sendTyped(leaf, options, focused)) },
      });
      const first = await answer;
      return first.kind === 'choices'
        ? { choices: first.choices, failed: false }
        : { choices: [], failed: true };
    },

    async press(messageId, customId) {
      const { type } = findComponent(sight.message(messageId), customId);
      if (type !== ComponentType.Button) throw new Refusal('invalid', 'This is not a button.', customId);
      return useComponent(messageId, customId, () => ({}));
    },

    async select(messageId, customId, values) {
      const select = findComponent(sight.message(messageId), customId);
      if (select.type === ComponentType.Button) throw new Refusal('invalid', 'This is a button.', customId);
      return useComponent(messageId, customId, (_message, channel) => {
        const resolved = createResolved({ core, channel, userId: user.id });
        return { values: pickValues(select, values, resolved), ...resolved.data() };
      });
    },

    async submitModal(interactionId, values) {
      const current = modal.get();
      if (current?.interactionId !== interactionId) throw new Refusal('unknown', 'This modal is not open.');
      const { from } = current;
      const channel = sight.channel(current.channelId);
      const resolved = createResolved({ core, channel, userId: user.id });
      const components = await fillModal(current.modal, values, resolved);
      const message = state.messages.get(from.sourceMessageId ?? '');
      const answer = await send({
        type: InteractionType.ModalSubmit,
        applicationId: from.applicationId,
        channel,
        owners: from.owners,
        trigger: from,
        ...(message && { message }),
        data: { custom_id: current.modal.custom_id, components, ...resolved.data() },
      });
      // Discord's client keeps a modal whose answer did not come, so that nothing typed is lost.
      if (answer.kind !== 'failure') modal.close(interactionId);
      return answer;
    },

    closeModal: modal.close,

    openModal() {
      const current = modal.get();
      if (!current) return undefined;
      const { interactionId, channelId } = current;
      return { interactionId, channelId, modal: current.modal };
    },
  };
}
