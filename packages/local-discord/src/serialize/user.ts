import type { APIUser } from 'discord-api-types/v10';
import { pictureHash } from '../cdn/links.ts';
import type { State, User } from '../state/state.ts';
import { newUser } from '../state/users.ts';

/** The enums of flags have no name for none. */
export const NO_FLAGS = 0 as never;

/** Source: 'User', user object. */
export function serializeUser(user: User): APIUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.bot ? '0000' : '0',
    global_name: user.bot ? null : user.displayName,
    avatar: pictureHash(user.id),
    public_flags: NO_FLAGS,
    flags: NO_FLAGS,
    primary_guild: null,
    avatar_decoration_data: null,
    collectibles: null,
    banner: null,
    accent_color: null,
    ...(user.bot && { bot: true }),
  };
}

/** The author of what a webhook wrote: no user, but a name for this message. */
export const serializeWebhookAuthor = ({ id, name }: { id: string; name: string }): APIUser => ({
  ...serializeUser(newUser({ id, username: name, displayName: name, bot: true })),
  avatar: null,
});

/** A user who may be gone: messages outlive their authors. */
export function serializeUserById(state: State, id: string): APIUser {
  const gone = { id, username: 'deleted_user', displayName: 'Deleted User' };
  return serializeUser(state.users.get(id) ?? newUser(gone));
}
