/** What a message says, with the commands that can be clicked in it as the texts name them. */
export const plain = (content: string): string => content.replace(/<(\/[^:>]+):\d+>/g, '`$1`');
