import { ComponentType, type Message, MessageFlags } from 'discord.js';
import { attachedFileOf } from '../delivery/attached-files.ts';
import { componentsIn, customIdsIn } from '../delivery/message-api.ts';

/** The message that a button, a menu or a form stands under, or that a message command is used on. */
export type SourceMessage = ReturnType<typeof sourceMessageOf>;

export function sourceMessageOf(message: Message) {
  // What was forwarded stands in a copy of it, and nothing beside that.
  const { content, embeds, attachments, components } = message.messageSnapshots.first() ?? message;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.author.id,
    /** What it says; of a message without text what stands in its first embed, or its components show. */
    words: content.trim() || embeds[0]?.description || textsIn(jsonOf(components)).join('\n'),
    /** Only its reader sees it, and only the token of its own interaction reaches it. */
    ephemeral: message.flags.has(MessageFlags.Ephemeral),
    files: attachments.map(attachedFileOf),
    customIds: customIdsIn(jsonOf(message.components)),
  };
}

const jsonOf = (components: Message['components']) => components.map((one) => one.toJSON());

/** What text displays anywhere in these components show. */
const textsIn = (components: unknown): string[] =>
  componentsIn(components).flatMap(({ type, content }) =>
    type === ComponentType.TextDisplay && typeof content === 'string' ? [content] : [],
  );
