import { AllowedMentionsTypes, type APIAllowedMentions } from 'discord-api-types/v10';
import type { Message, Role } from '../state/state.ts';

/** What is parsed where a request does not say it. Source: 'Message', default settings for allowed mentions. */
const PARSED_BY_DEFAULT = {
  message: Object.values(AllowedMentionsTypes),
  /** Answers of interactions, too. */
  webhook: [AllowedMentionsTypes.User],
} as const;

/** As what a message is sent. */
export type SentAs = keyof typeof PARSED_BY_DEFAULT;

/**
 * Whom a message notifies. Source: 'Message', allowed mentions: without `allowed`, the author of the message that is
 * replied to is mentioned. `@everyone` needs the permission besides, and so does a role that is not mentionable.
 */
export function mentionsIn(
  content: string,
  {
    allowed,
    sentAs,
    mayMentionEveryone,
    repliedUserId,
    roles,
  }: {
    allowed: APIAllowedMentions | undefined;
    sentAs: SentAs;
    mayMentionEveryone: boolean;
    repliedUserId: string | undefined;
    /** Those of the server. */
    roles: readonly Role[];
  },
): Message['mentions'] {
  const parse: readonly AllowedMentionsTypes[] = allowed ? (allowed.parse ?? []) : PARSED_BY_DEFAULT[sentAs];
  const isMentionable = (roleId: string) =>
    mayMentionEveryone || roles.some(({ id, mentionable }) => id === roleId && mentionable);
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
    roles: ids(/<@&(\d{17,20})>/g)
      .filter(permitted(AllowedMentionsTypes.Role, allowed?.roles))
      .filter(isMentionable),
  };
}
