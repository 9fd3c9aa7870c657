import { type APIMessage, MessageFlags } from 'discord-api-types/v10';

/** Discord's markdown as a terminal shows it, without relative times: a terminal does not update them. */
export function plainText(content: string): string {
  return content
    .split('\n')
    .map((line) =>
      line
        .split(' · ')
        .filter((part) => !/<t:\d+(:\w)?>/.test(part))
        .join(' · ')
        .replaceAll(/[`*]|\\(?=\W)/g, ''),
    )
    .filter((line) => line !== '')
    .join('\n');
}

export type ReplyStatus =
  | { type: 'developing'; progress: string }
  | { type: 'developed' }
  | { type: 'failed'; reason: string };

/** The status of a reply to `/imagine`. `progress` is the last line of its text. */
export function replyStatus({ attachments, components, content, flags }: APIMessage): ReplyStatus {
  if (attachments.length > 0) return { type: 'developed' };
  const text = plainText(content);
  const refused = ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  if (refused || components?.length) return { type: 'failed', reason: text };
  return { type: 'developing', progress: text.split('\n').at(-1) ?? '' };
}
