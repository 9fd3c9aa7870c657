const USER = 'local-discord.user';
const HAS_USED_COMMAND = 'local-discord.has-used-command';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser may forbid storage; the page then starts anew each time.
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

/** What the browser stores between visits. */
export const preferences = {
  userId: () => read(USER),
  saveUserId: (userId: string) => write(USER, userId),
  hasUsedCommand: () => read(HAS_USED_COMMAND) !== null,
  saveHasUsedCommand: () => write(HAS_USED_COMMAND, 'yes'),
};
