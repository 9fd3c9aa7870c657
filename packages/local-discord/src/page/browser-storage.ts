/** A storage of the browser, which may forbid it: then nothing is kept, and each visit starts anew. */
export const browserStorage = (storage: () => Storage) => ({
  read(key: string): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },

  write(key: string, value: string | null): void {
    try {
      if (value === null) storage().removeItem(key);
      else storage().setItem(key, value);
    } catch {
      // As above.
    }
  },
});
