import { type Message, MessageFlags } from 'discord.js';
import { attachedFileOf } from '../delivery/attached-files.ts';
import type { AttachedFile } from '../jobs/input.ts';

/** The message that a button, a menu or a form stands under, or that a message command is used on. */
export interface SourceMessage {
  id: string;
  channelId: string;
  authorId: string;
  /** What it says; of a message without text what stands in its first embed. */
  words: string;
  /** Only its reader sees it, and only the token of its own interaction reaches it. */
  ephemeral: boolean;
  files: readonly AttachedFile[];
  /** Of its buttons and menus. */
  customIds: readonly string[];
}

export const sourceMessageOf = (message: Message): SourceMessage => ({
  id: message.id,
  channelId: message.channelId,
  authorId: message.author.id,
  words: message.content.trim() || (message.embeds[0]?.description ?? ''),
  ephemeral: message.flags.has(MessageFlags.Ephemeral),
  files: message.attachments.map(attachedFileOf),
  customIds: idsIn(message.components.map((row) => row.toJSON())),
});

/** Custom ids anywhere in the components of a message. */
function idsIn(components: unknown): string[] {
  if (Array.isArray(components)) return components.flatMap(idsIn);
  if (typeof components !== 'object' || components === null) return [];
  const { custom_id: id, components: inner }: { custom_id?: unknown; components?: unknown } = components;
  return [...(typeof id === 'string' ? [id] : []), ...idsIn(inner)];
}
