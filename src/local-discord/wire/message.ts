import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageInteractionMetadata,
  InteractionType,
  MessageReferenceType,
  MessageType,
} from 'discord-api-types/v10';
import type { Links } from '../cdn/links.ts';
import { loosely, walk } from '../rules/components.ts';
import { attachmentName } from '../rules/messages.ts';
import { createdAt } from '../state/snowflakes.ts';
import type { Attachment, Message, Provenance, State } from '../state/state.ts';
import { wireComponents } from './components.ts';
import { wireUserById } from './user.ts';

/** Source: 'Message', message object. Links to attachments are signed anew each time. */
export function wireMessage(state: State, links: Links, message: Message): APIMessage {
  const repliedTo = state.messages.get(message.replyTo ?? '');
  // What only one person may read must not travel inside of what all may.
  const referenced = repliedTo && (repliedTo.reader === null || repliedTo.reader === message.reader);
  return {
    ...wireAlone(state, links, message),
    ...(message.replyTo && {
      message_reference: {
        type: MessageReferenceType.Default,
        channel_id: message.channelId,
        message_id: message.replyTo,
        ...guildOf(state, message),
      },
      referenced_message: referenced ? wireAlone(state, links, repliedTo) : null,
    }),
  };
}

/**
 * A message without the one that it answers: Discord nests only once. Files that embeds or components show are not
 * in `attachments`. Source: 'Message', message object.
 */
function wireAlone(state: State, links: Links, message: Message): APIMessage {
  const attachments = message.attachments.flatMap((id) => state.attachments.get(id) ?? []);
  const embedded = [...shownFiles(message)];
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channelId,
    author: wireUserById(state, message.authorId),
    content: message.content,
    embeds: message.embeds.map((embed) => wireEmbed(embed, attachments, links)),
    attachments: attachments
      .filter(({ filename }) => !embedded.includes(filename))
      .map((attachment) => wireAttachment(attachment, links)),
    components: wireComponents(message.components, attachments, links),
    mentions: message.mentions.users.map((id) => wireUserById(state, id)),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    timestamp: new Date(createdAt(message.id)).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    // A sum of flags is a number that no member of the enum names.
    flags: message.flags as NonNullable<APIMessage['flags']>,
    pinned: false,
    tts: message.tts,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(message.interaction && {
      application_id: message.interaction.applicationId,
      webhook_id: message.interaction.applicationId,
      interaction_metadata: wireProvenance(state, message.interaction),
      ...(message.type === MessageType.ChatInputCommand && {
        interaction: {
          id: message.interaction.id,
          type: message.interaction.type,
          name: message.interaction.commandName ?? '',
          user: wireUserById(state, message.interaction.userId),
        },
      }),
    }),
  };
}

/** Names of the files that embeds and components refer to. */
function* shownFiles({ embeds, components }: Message): Generator<string> {
  const urls = embeds.flatMap(({ image, thumbnail, author, footer }) => [
    image?.url,
    thumbnail?.url,
    author?.icon_url,
    footer?.icon_url,
  ]);
  for (const { component } of walk(loosely(components), [])) {
    urls.push(
      component.media?.url,
      component.file?.url,
      ...(component.items ?? []).map(({ media }) => media.url),
    );
  }
  for (const url of urls) {
    const name = attachmentName(url);
    if (name !== undefined) yield name;
  }
}

function guildOf(state: State, { channelId }: Message): { guild_id?: string } {
  const guildId = state.channels.get(channelId)?.guildId;
  return guildId ? { guild_id: guildId } : {};
}

function wireProvenance(state: State, from: Provenance): APIMessageInteractionMetadata {
  const metadata = {
    id: from.id,
    type: from.type,
    user: wireUserById(state, from.userId),
    authorizing_integration_owners: from.owners,
    ...(from.originalMessageId && { original_response_message_id: from.originalMessageId }),
    ...(from.type === InteractionType.MessageComponent && {
      interacted_message_id: from.sourceMessageId ?? '0',
    }),
    ...(from.trigger && { triggering_interaction_metadata: wireProvenance(state, from.trigger) }),
  };
  // Which fields belong to which type is decided above by the type.
  return metadata as APIMessageInteractionMetadata;
}

/** Source: 'Message', attachment object. */
export function wireAttachment(attachment: Attachment, links: Links): APIAttachment {
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

function wireEmbed(embed: APIEmbed, attachments: readonly Attachment[], links: Links): APIEmbed {
  const picture = (image: { url: string } | null | undefined) => {
    if (!image?.url) return undefined;
    const attachment = attachments.find(({ filename }) => filename === attachmentName(image.url));
    if (!attachment) return { url: image.url, proxy_url: image.url };
    const url = links.attachment(attachment);
    const { width, height, contentType } = attachment;
    return {
      url,
      proxy_url: url,
      content_type: contentType,
      ...(width !== null && { width }),
      ...(height !== null && { height }),
    };
  };
  const image = picture(embed.image);
  const thumbnail = picture(embed.thumbnail);
  const { image: _image, thumbnail: _thumbnail, fields, ...rest } = embed;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...said,
    // `type` is always `rich` for what a bot sends; the enum's text is the wire's.
    type: 'rich' as NonNullable<APIEmbed['type']>,
    ...(fields && { fields: fields.map((field) => ({ ...field, inline: field.inline ?? false })) }),
    ...(image && { image }),
    ...(thumbnail && { thumbnail }),
  };
}
