import type { APIMessage } from 'discord-api-types/v10';
import { textsIn } from '../rules/components.ts';
import { plainText } from './plain-text.ts';
import type { View } from './view.ts';

/**
 * The words of a message in one line: its text, or what stands first in its embed or its components; may be empty. What
 * a container hides stays hidden.
 */
export function firstWords(view: View, { content, embeds: [embed], components = [] }: APIMessage): string {
  const inEmbed = embed?.title || embed?.description || embed?.fields?.[0]?.name;
  const open = components.filter((one) => !('spoiler' in one && one.spoiler));
  const [display = ''] = textsIn(open);
  return plainText(view, content || inEmbed || display);
}
