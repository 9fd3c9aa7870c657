import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageInteractionMetadata,
  type APIReaction,
  InteractionType,
  MessageReferenceType,
  MessageType,
} from 'discord-api-types/v10';
import type { Links } from '../cdn/links.ts';
import type { Context } from '../context.ts';
import { filesOf, loosely, walk } from '../rules/components.ts';
import { attachmentName, picturesOf } from '../rules/messages.ts';
import { createdAt } from '../state/snowflakes.ts';
import type { Attachment, InteractionMetadata, Message, State } from '../state/state.ts';
import { guildIdOf } from './channel.ts';
import { serializeComponents, serializeMedia } from './components.ts';
import { serializeUserById, serializeWebhookAuthor } from './user.ts';

type Source = Pick<Context, 'state' | 'links'>;

/**
 * Source: 'Message', message object. Links to attachments are signed anew each time; `me` in reactions is about
 * `viewerId`.
 */
export function serializeMessage(source: Source, message: Message, viewerId: string): APIMessage {
  const { state } = source;
  const repliedTo = message.replyTo && state.messages.get(message.replyTo);
  // What only one person may read must not travel inside of what all may.
  const referenced = repliedTo && (repliedTo.reader === null || repliedTo.reader === message.reader);
  return {
    ...serializeWithoutReference(source, message, viewerId),
    ...(message.forwards && serializeForward(source, message.forwards, viewerId)),
    ...(message.replyTo && {
      message_reference: {
        type: MessageReferenceType.Default,
        channel_id: message.channelId,
        message_id: message.replyTo,
        ...guildIdOf(state.channels.get(message.channelId)),
      },
      referenced_message: referenced ? serializeWithoutReference(source, repliedTo, viewerId) : null,
    }),
  };
}

/** Nobody's any more: who wrote it, and where, is not told. Source: 'Message', message snapshot object. */
function serializeForward(
  source: Source,
  forwarded: Message,
  viewerId: string,
): Pick<APIMessage, 'message_reference' | 'message_snapshots'> {
  const { id, channel_id, ...whole } = serializeWithoutReference(source, forwarded, viewerId);
  const { type, content, embeds, attachments, components = [], flags, mentions, mention_roles } = whole;
  const { timestamp, edited_timestamp } = whole;
  const shown = { type, content, embeds, attachments, components, mentions, mention_roles };
  return {
    message_reference: {
      type: MessageReferenceType.Forward,
      channel_id,
      message_id: id,
      ...guildIdOf(source.state.channels.get(channel_id)),
    },
    message_snapshots: [{ message: { ...shown, timestamp, edited_timestamp, ...(flags && { flags }) } }],
  };
}

/**
 * A message without the one that it answers: Discord nests only once. Files that embeds or components show are not
 * in `attachments`. Source: 'Message', message object.
 */
function serializeWithoutReference({ state, links }: Source, message: Message, viewerId: string): APIMessage {
  const attachments = message.attachments.flatMap((id) => state.attachments.get(id) ?? []);
  const embedded = shownFiles(message);
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channelId,
    author: message.webhook
      ? serializeWebhookAuthor(message.webhook)
      : serializeUserById(state, message.authorId),
    content: message.content,
    embeds: message.embeds.map((embed) => serializeEmbed(embed, attachments, links)),
    attachments: attachments
      .filter(({ filename }) => !embedded.includes(filename))
      .map((attachment) => serializeAttachment(attachment, links)),
    components: serializeComponents(message.components, attachments, links),
    mentions: message.mentions.users.map((id) => serializeUserById(state, id)),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    timestamp: new Date(createdAt(message.id)).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    // A sum of flags is a number that no member of the enum names.
    flags: message.flags as NonNullable<APIMessage['flags']>,
    pinned: false,
    tts: message.tts,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(message.reactions.length > 0 && {
      reactions: message.reactions.map((reaction) => serializeReaction(reaction, viewerId)),
    }),
    ...(message.webhook && {
      application_id: message.webhook.applicationId,
      webhook_id: message.webhook.id,
    }),
    ...(message.interaction && {
      application_id: message.interaction.applicationId,
      webhook_id: message.interaction.applicationId,
      interaction_metadata: serializeMetadata(state, message.interaction),
      ...(message.type !== MessageType.Reply && {
        interaction: {
          id: message.interaction.id,
          type: message.interaction.type,
          name: message.interaction.commandName ?? '',
          user: serializeUserById(state, message.interaction.userId),
        },
      }),
    }),
  };
}

/** Source: 'Message', reaction object. */
function serializeReaction({ emoji, userIds }: Message['reactions'][number], viewerId: string): APIReaction {
  return {
    emoji: { id: null, name: emoji },
    count: userIds.length,
    count_details: { burst: 0, normal: userIds.length },
    me: userIds.includes(viewerId),
    me_burst: false,
    burst_colors: [],
  };
}

/** Names of the files that embeds or components show. */
function shownFiles({ embeds, components }: Message): string[] {
  const inComponents = [...walk(loosely(components), [])].flatMap(({ component }) => filesOf(component, []));
  return [...embeds.flatMap(picturesOf), ...inComponents].flatMap(({ url }) => attachmentName(url) ?? []);
}

function serializeMetadata(state: State, from: InteractionMetadata): APIMessageInteractionMetadata {
  const metadata = {
    id: from.id,
    type: from.type,
    user: serializeUserById(state, from.userId),
    authorizing_integration_owners: from.owners,
    ...(from.originalMessageId && { original_response_message_id: from.originalMessageId }),
    ...(from.type === InteractionType.MessageComponent && {
      interacted_message_id: from.sourceMessageId ?? '0',
    }),
    ...(from.trigger && { triggering_interaction_metadata: serializeMetadata(state, from.trigger) }),
  };
  // Which fields belong to which type is decided above by the type.
  return metadata as APIMessageInteractionMetadata;
}

/** Source: 'Message', attachment object. */
export function serializeAttachment(attachment: Attachment, links: Links): APIAttachment {
  const url = links.attachment(attachment);
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.size,
    url,
    proxy_url: url,
    content_type: attachment.contentType,
    ...(attachment.width !== null && { width: attachment.width }),
    ...(attachment.height !== null && { height: attachment.height }),
    ...(attachment.description && { description: attachment.description }),
    ...(attachment.title && { title: attachment.title }),
    ...(attachment.ephemeral && { ephemeral: true }),
  };
}

function serializeEmbed(embed: APIEmbed, attachments: readonly Attachment[], links: Links): APIEmbed {
  const withIcon = <T extends { icon_url?: string }>(part: T): T => {
    if (!part.icon_url) return part;
    const { url, proxy_url } = serializeMedia(part.icon_url, attachments, links);
    return { ...part, icon_url: url, proxy_icon_url: proxy_url };
  };
  const { image, thumbnail, author, footer, fields, ...rest } = embed;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...said,
    // `type` is always `rich` for what a bot sends; the enum's text is the wire's.
    type: 'rich' as NonNullable<APIEmbed['type']>,
    ...(fields && { fields: fields.map((field) => ({ ...field, inline: field.inline ?? false })) }),
    ...(image?.url && { image: serializeMedia(image.url, attachments, links) }),
    ...(thumbnail?.url && { thumbnail: serializeMedia(thumbnail.url, attachments, links) }),
    ...(author && { author: withIcon(author) }),
    ...(footer && { footer: withIcon(footer) }),
  };
}
