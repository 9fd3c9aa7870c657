import { type APIMessage, MessageFlags } from 'discord-api-types/v10';

/** Discord's markdown as a terminal shows it; what moves by itself there is left out. */
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

export type Standing =
  | { state: 'developing'; line: string }
  | { state: 'developed' }
  | { state: 'failed'; reason: string };

/** How a `/imagine` stands, by its message: the last line of a text that still changes tells how far it is. */
export function standing({ attachments, components, content, flags }: APIMessage): Standing {
  if (attachments.length > 0) return { state: 'developed' };
  const text = plainText(content);
  const refused = ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  if (refused || components?.length) return { state: 'failed', reason: text };
  return { state: 'developing', line: text.split('\n').at(-1) ?? '' };
}
