import { MESSAGE_LIMITS, type Message } from './message.ts';

/** A command in a sentence of ours. What others have typed has a backslash before each of its backticks. */
const COMMAND = /(?<![\\`])`\/([a-z0-9_-]+)((?: [a-z0-9_-]+){0,2})`(?!`)/g;

/**
 * `message` with the commands that its texts name as `/imagine` made ones that can be clicked. `idOf`: under which
 * one is registered; without one it stays as it is.
 */
export function linkCommands(message: Message, idOf: (name: string) => string | undefined): Message {
  const linked = (text: string, limit: number): string => {
    const clickable = text.replace(COMMAND, (written, name: string, path: string) => {
      const id = idOf(name);
      return id === undefined ? written : `</${name}${path}:${id}>`;
    });
    return clickable.length <= limit ? clickable : text;
  };
  const { content, embeds } = message;
  return {
    ...message,
    ...(content !== undefined && { content: linked(content, MESSAGE_LIMITS.content) }),
    ...(embeds && {
      embeds: embeds.map((embed) => ({
        ...embed,
        ...(embed.description !== undefined && {
          description: linked(embed.description, MESSAGE_LIMITS.embedDescription),
        }),
        ...(embed.fields && {
          fields: embed.fields.map((field) => ({
            ...field,
            value: linked(field.value, MESSAGE_LIMITS.embedField),
          })),
        }),
      })),
    }),
  };
}
