import type { User } from './state.ts';

/** A user with everything that is not said of them. */
export const newUser = (user: Pick<User, 'id' | 'username' | 'displayName'> & Partial<User>): User => ({
  locale: 'en-US',
  bot: false,
  installed: [],
  closedToDirectMessages: false,
  ...user,
});
