import type { KeyOwner } from '../../src/credentials/key-owner.ts';
import type { LinkedKey } from '../../src/credentials/linked-key.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import type { Invocation } from './invocation.ts';

/** What tells a key from others without giving it away. */
export const masked = ({ tail }: LinkedKey): string => `sk-…${tail}`;

/** The name of its account; undefined where there is none that can be read. */
export const accountOf = ({ username = '' }: LinkedKey): string | undefined =>
  foreignText(username) || undefined;

/** In place of what was pressed, where that may have been about another key than the linked one. */
export const askedAnew = (question: Message, { apiKey }: Texts): Message => ({
  ...question,
  content: `${apiKey.linkedMeanwhile}\n${question.content}`,
});

/**
 * Of a key that has just been linked: whose it is, what moderators see of it, and what becomes of the one that it
 * `replaced`.
 */
export function describeLinked(
  invocation: Invocation,
  owner: KeyOwner['kind'],
  linked: LinkedKey,
  replaced: LinkedKey | undefined,
): string {
  const { apiKey } = invocation.texts;
  const key = masked(linked);
  const account = accountOf(linked);
  const sentences =
    owner === 'guild'
      ? [apiKey.linkedForServer(key, account)]
      : [apiKey.linked(key, account), describeVisibility(invocation, linked)];
  if (replaced) sentences.push(apiKey.replaced(owner, masked(replaced), accountOf(replaced)));
  if (invocation.context.keys.isReadOnTheWay) sentences.push(apiKey.readOnTheWay);
  return sentences.join(' ');
}

export function describeVisibility(
  { caller: { guildId }, texts: { apiKey } }: Invocation,
  { visibleIn }: LinkedKey,
): string {
  const elsewhere = visibleIn.filter((id) => id !== guildId).length;
  return apiKey.visibleTo(elsewhere < visibleIn.length, elsewhere);
}
