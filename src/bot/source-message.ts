import { type Message, MessageFlags } from 'discord.js';
import { attachedFileOf } from '../delivery/attached-files.ts';
import { customIdsIn } from '../delivery/message-api.ts';

/** The message that a button, a menu or a form stands under, or that a message command is used on. */
export type SourceMessage = ReturnType<typeof sourceMessageOf>;

export function sourceMessageOf(message: Message) {
  // What was forwarded stands in a copy of it, and nothing beside that.
  const { content, embeds, attachments } = message.messageSnapshots.first() ?? message;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.author.id,
    /** What it says; of a message without text what stands in its first embed. */
    words: content.trim() || (embeds[0]?.description ?? ''),
    /** Only its reader sees it, and only the token of its own interaction reaches it. */
    ephemeral: message.flags.has(MessageFlags.Ephemeral),
    files: attachments.map(attachedFileOf),
    customIds: customIdsIn(message.components.map((row) => row.toJSON())),
  };
}
