import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Offers } from './offers.ts';

/** Who sees the words and pictures of members beside Discord and the image service: a sentence for each. */
export function whoSees(
  { seenByStrangers, sentTo }: Pick<Offers, 'seenByStrangers' | 'sentTo'>,
  { privacy }: Texts,
): string[] {
  const names = sentTo().map((name) => foreignText(name));
  return [
    ...(seenByStrangers() ? [privacy.strangers] : []),
    ...(names.length > 0 ? [privacy.sentTo(names)] : []),
  ];
}
