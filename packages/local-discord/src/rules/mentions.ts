import { AllowedMentionsTypes, type APIAllowedMentions } from 'discord-api-types/v10';
import type { Message } from '../state/state.ts';

/**
 * Whom a message notifies. Source: 'Message', allowed mentions: without `allowed` everything is parsed, and the
 * author of the message that is replied to is mentioned; `@everyone` needs the permission besides.
 */
export function mentionsIn(
  content: string,
  {
    allowed,
    mayMentionEveryone,
    repliedUserId,
  }: {
    allowed: APIAllowedMentions | undefined;
    mayMentionEveryone: boolean;
    repliedUserId: string | undefined;
  },
): Message['mentions'] {
  const parse = allowed ? (allowed.parse ?? []) : Object.values(AllowedMentionsTypes);
  const ids = (pattern: RegExp) => [
    ...new Set([...content.matchAll(pattern)].flatMap(([, id]) => (id ? [id] : []))),
  ];
  const permitted = (kind: AllowedMentionsTypes, listed: string[] | undefined) => (id: string) =>
    parse.includes(kind) || (listed?.includes(id) ?? false);

  const users = ids(/<@!?(\d{17,20})>/g).filter(permitted(AllowedMentionsTypes.User, allowed?.users));
  const mentionsReply = repliedUserId !== undefined && (allowed ? allowed.replied_user === true : true);

  return {
    everyone:
      mayMentionEveryone &&
      parse.includes(AllowedMentionsTypes.Everyone) &&
      /@(everyone|here)\b/.test(content),
    users: [...new Set(mentionsReply ? [...users, repliedUserId] : users)],
    roles: ids(/<@&(\d{17,20})>/g).filter(permitted(AllowedMentionsTypes.Role, allowed?.roles)),
  };
}
