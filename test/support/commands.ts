import type { APIMessage } from 'discord-api-types/v10';

/** Words of a message, with the commands that can be clicked in them as the texts name them. */
export const plain = (content: string): string => content.replace(/<(\/[^:>]+):\d+>/g, '`$1`');

/** A message whose words are plain. */
export const plainly = (message: APIMessage): APIMessage => ({ ...message, content: plain(message.content) });
