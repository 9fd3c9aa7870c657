import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { isEmoji } from '../rules/emojis.ts';
import { apiError } from '../rules/errors.ts';
import type { Message } from './state.ts';

/** Different emojis on one message. Source: 'Opcodes and Status Codes', 30010. */
const MAX_REACTIONS = 20;

/** Throws 10014 and 30010. A user who reacted with this emoji before has reacted. */
export function addReaction({ events }: Context, message: Message, emoji: string, userId: string): void {
  if (!isEmoji(emoji)) throw apiError(Code.UnknownEmoji);
  const known = message.reactions.find((reaction) => reaction.emoji === emoji);
  if (known?.userIds.includes(userId)) return;
  if (!known && message.reactions.length >= MAX_REACTIONS) {
    throw apiError(Code.MaximumNumberOfReactionsReached);
  }
  if (known) known.userIds.push(userId);
  else message.reactions.push({ emoji, userIds: [userId] });
  events.publish({ type: 'reaction-added', message, emoji, userId });
}

/** A reaction that is not there is as good as removed. Throws 10014. */
export function removeReaction({ events }: Context, message: Message, emoji: string, userId: string): void {
  if (!isEmoji(emoji)) throw apiError(Code.UnknownEmoji);
  const known = message.reactions.find((reaction) => reaction.emoji === emoji);
  if (!known?.userIds.includes(userId)) return;
  known.userIds = known.userIds.filter((id) => id !== userId);
  message.reactions = message.reactions.filter(({ userIds }) => userIds.length > 0);
  events.publish({ type: 'reaction-removed', message, emoji, userId });
}
