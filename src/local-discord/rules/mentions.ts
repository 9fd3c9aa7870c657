import { AllowedMentionsTypes, type APIAllowedMentions } from 'discord-api-types/v10';
import type { Message } from '../state/state.ts';

/**
 * Whom `content` notifies. Source: 'Message', allowed mentions: without `allowed` everything is parsed; `@everyone`
 * needs the permission besides.
 */
export function mentionsIn(
  content: string,
  allowed: APIAllowedMentions | undefined,
  mayMentionEveryone: boolean,
): Message['mentions'] {
  const parse = allowed ? (allowed.parse ?? []) : Object.values(AllowedMentionsTypes);
  const ids = (pattern: RegExp) => [
    ...new Set([...content.matchAll(pattern)].flatMap(([, id]) => (id ? [id] : []))),
  ];
  const permitted = (kind: AllowedMentionsTypes, listed: string[] | undefined) => (id: string) =>
    parse.includes(kind) || (listed?.includes(id) ?? false);

  return {
    everyone:
      mayMentionEveryone &&
      parse.includes(AllowedMentionsTypes.Everyone) &&
      /@(everyone|here)\b/.test(content),
    users: ids(/<@!?(\d{17,20})>/g).filter(permitted(AllowedMentionsTypes.User, allowed?.users)),
    roles: ids(/<@&(\d{17,20})>/g).filter(permitted(AllowedMentionsTypes.Role, allowed?.roles)),
  };
}
