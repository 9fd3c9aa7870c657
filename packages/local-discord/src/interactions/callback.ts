import * as spec from 'discord-api-spec/zod';
import {
  ApplicationCommandType,
  RESTJSONErrorCodes as Code,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import type { UploadedFile } from '../rules/attachments.ts';
import { parseBody } from '../rules/body.ts';
import { checkChoice } from '../rules/commands.ts';
import { apiError } from '../rules/errors.ts';
import { createFormErrors, invalidFormBody } from '../rules/form-errors.ts';
import { checkModal } from '../rules/modals.ts';
import { appPermissions, has } from '../rules/permissions.ts';
import { requireOpen, requireUnlocked } from '../rules/threads.ts';
import type { MessageRequest } from '../state/message-request.ts';
import type { Messages, NewMessage } from '../state/messages.ts';
import type { Channel, Interaction, InteractionMetadata, Message } from '../state/state.ts';
import type { InitialResponse } from './interactions.ts';

const { ApplicationCommandAutocompleteResult, ChannelMessageWithSource, DeferredChannelMessageWithSource } =
  InteractionResponseType;
const { DeferredMessageUpdate, Modal, UpdateMessage } = InteractionResponseType;

/** What autocomplete brings, by the type of the option: its values are of this type. */
const SUGGESTIONS = {
  [Option.String]: spec.InteractionApplicationCommandAutocompleteCallbackStringDataSchema,
  [Option.Integer]: spec.InteractionApplicationCommandAutocompleteCallbackIntegerDataSchema,
  [Option.Number]: spec.InteractionApplicationCommandAutocompleteCallbackNumberDataSchema,
};

/** Which answers an interaction may get. Source: 'Receiving and Responding', interaction callback type. */
function allowedTypes(interaction: Interaction): InteractionResponseType[] {
  const { type, sourceMessageId } = interaction.metadata;
  if (type === InteractionType.ApplicationCommandAutocomplete) return [ApplicationCommandAutocompleteResult];
  return [
    ChannelMessageWithSource,
    DeferredChannelMessageWithSource,
    // The message with the component may be changed.
    ...(sourceMessageId === null ? [] : [DeferredMessageUpdate, UpdateMessage]),
    ...(type === InteractionType.ModalSubmit ? [] : [Modal]),
  ];
}

/** Gives the first answer that `body` asks for. Throws what Discord answers to a bad one. */
export async function respond(
  context: Context,
  messages: Messages,
  interaction: Interaction,
  { body, files }: { body: unknown; files: readonly UploadedFile[] },
): Promise<InitialResponse> {
  const { state } = context;
  const requested: unknown = Reflect.get(Object(body), 'type');
  const type = allowedTypes(interaction).find((allowed) => allowed === requested);
  if (type === undefined) {
    const choices = allowedTypes(interaction).join(', ');
    throw invalidFormBody(['type'], 'BASE_TYPE_CHOICES', `Value must be one of {${choices}}.`);
  }
  const channel = state.channels.get(interaction.channelId);
  if (!channel) throw apiError(Code.UnknownChannel);

  switch (type) {
    case ChannelMessageWithSource: {
      const { data } = parseBody(spec.CreateMessageInteractionCallbackRequestSchema, body);
      const request = answerRequest(context, interaction, channel, { body: data ?? {}, files, at: ['data'] });
      return own(interaction, (await messages.create(request)).id);
    }
    case DeferredChannelMessageWithSource: {
      const { data } = parseBody(spec.CreateMessageInteractionCallbackRequestSchema, body);
      const flags = data?.flags;
      if (((flags ?? 0) & ~MessageFlags.Ephemeral) !== 0) {
        throw invalidFormBody(['data', 'flags'], 'DEFER_FLAGS_INVALID');
      }
      const request = answerRequest(context, interaction, channel, { body: { flags }, files: [], at: [] });
      return own(interaction, messages.createEmpty(request, MessageFlags.Loading).id);
    }
    case DeferredMessageUpdate:
      parseBody(spec.UpdateMessageInteractionCallbackRequestSchema, body);
      own(interaction, interaction.metadata.sourceMessageId ?? '0');
      return { kind: 'acknowledged' };
    case UpdateMessage: {
      const answer = parseBody(spec.UpdateMessageInteractionCallbackRequestSchema, body);
      const data = 'data' in answer ? answer.data : undefined;
      const { sourceMessageId } = interaction.metadata;
      const source = sourceMessageId && state.messages.get(sourceMessageId);
      if (!source) throw apiError(Code.UnknownMessage);
      const said = { body: data ?? {}, files, at: ['data'] };
      await messages.edit(source, channel, editRequest(context, interaction, source, channel, said));
      return { ...own(interaction, source.id), kind: 'update' };
    }
    case Modal: {
      const { data } = parseBody(spec.ModalInteractionCallbackRequestSchema, body);
      checkModal(data);
      return { kind: 'modal', modal: data };
    }
    default: {
      const schema = SUGGESTIONS[interaction.suggestsFor ?? Option.String];
      const data: unknown = Reflect.get(Object(body), 'data');
      const choices = parseBody(schema, data ?? {}, ['data']).choices ?? [];
      const errors = createFormErrors();
      for (const [n, choice] of choices.entries()) checkChoice(errors, choice, ['data', 'choices', n]);
      errors.throwIfAny();
      return { kind: 'choices', choices };
    }
  }
}

/** From now on `@original` means this message. */
function own(interaction: Interaction, messageId: string): { kind: 'message'; messageId: string } {
  interaction.originalMessageId = messageId;
  interaction.messageIds.push(messageId);
  return { kind: 'message', messageId };
}

type Said = Pick<MessageRequest, 'body' | 'files' | 'at'>;

/** What an answer of an interaction becomes by an edit. Throws 50083 or 160005; what one person sees is in no thread. */
export function editRequest(
  { state }: Context,
  { metadata }: Interaction,
  { reader }: Message,
  channel: Channel,
  said: Said,
): MessageRequest {
  const permissions = appPermissions(state, channel, metadata.applicationId);
  if (reader === null) {
    requireOpen(channel);
    requireUnlocked(channel, permissions);
  }
  return { ...said, sentAs: 'webhook', mayMentionEveryone: has(permissions, P.MentionEveryone) };
}

/** What an answer of an interaction is: also for follow-ups. Throws as `editRequest`, but opens an archived thread. */
export function answerRequest(
  context: Context,
  interaction: Interaction,
  channel: Channel,
  said: Said,
): NewMessage {
  const { metadata, forcedEphemeral, originalMessageId } = interaction;
  const ephemeral = forcedEphemeral || ((said.body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  const permissions = appPermissions(context.state, channel, metadata.applicationId);
  if (!ephemeral) requireUnlocked(channel, permissions);
  const repliesTo = originalMessageId ?? metadata.sourceMessageId;
  return {
    channel,
    authorId: metadata.applicationId,
    type: messageType(metadata, repliesTo),
    reader: ephemeral ? metadata.userId : null,
    replyTo: repliesTo,
    interaction: { ...metadata, originalMessageId },
    ...said,
    sentAs: 'webhook',
    mayMentionEveryone: has(permissions, P.MentionEveryone),
  };
}

function messageType({ commandType }: InteractionMetadata, repliesTo: string | null): MessageType {
  if (repliesTo !== null) return MessageType.Reply;
  return commandType === null || commandType === ApplicationCommandType.ChatInput
    ? MessageType.ChatInputCommand
    : MessageType.ContextMenuCommand;
}
