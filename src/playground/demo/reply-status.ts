import { type APIMessage, MessageFlags } from 'discord-api-types/v10';

/** Discord's markdown as a terminal shows it, without whom it is for, and relative times, which stand still there. */
export function plainText(content: string): string {
  return content
    .split('\n')
    .map((line) =>
      line
        .replace(/^-# /, '')
        .split(' · ')
        .filter((part) => !/^<@\d+>$|<t:\d+(:\w)?>/.test(part))
        .join(' · ')
        .replaceAll(/[`*]|\\(?=\W)/g, ''),
    )
    .filter((line) => line !== '')
    .join('\n');
}

type ReplyStatus =
  | { type: 'developing'; progress: string }
  | { type: 'developed' }
  | { type: 'failed'; reason: string };

/** What is under way can be cancelled. */
const isUnderWay = (components: APIMessage['components'] = []): boolean =>
  components.length === 0 || JSON.stringify(components).includes('imagine:cancel:');

/** The status of a reply to `/imagine`. `progress` is the second line of its text, under the prompt. */
export function replyStatus({ attachments, components, content, flags }: APIMessage): ReplyStatus {
  const text = plainText(content);
  const refused = ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  if (!refused && isUnderWay(components)) {
    return { type: 'developing', progress: text.split('\n').slice(1).join(', ') };
  }
  return attachments.length > 0 ? { type: 'developed' } : { type: 'failed', reason: text };
}
