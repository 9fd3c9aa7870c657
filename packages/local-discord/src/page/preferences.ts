import { browserStorage } from './browser-storage.ts';

const THEME = 'local-discord.theme';
const readKey = (userId: string) => `local-discord.read.${userId}`;
const HAS_USED_COMMAND = 'local-discord.has-used-command';

const { read, write } = browserStorage(() => localStorage);

/** Ids of messages by ids of channels. */
type ReadMarks = Readonly<Record<string, string>>;

const isId = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value);

function readMarks(text: string | null): ReadMarks {
  try {
    const marks: [string, unknown][] = Object.entries(Object(JSON.parse(text ?? '{}')));
    return Object.fromEntries(marks.filter((mark): mark is [string, string] => isId(mark[1])));
  } catch {
    return {};
  }
}

/** What the browser stores between visits. */
export const preferences = {
  theme: () => read(THEME),
  saveTheme: (theme: string) => write(THEME, theme),
  /** Up to which message a user has read, by channel. */
  readMarks: (userId: string) => readMarks(read(readKey(userId))),
  saveReadMarks: (userId: string, marks: ReadMarks) => write(readKey(userId), JSON.stringify(marks)),
  hasUsedCommand: () => read(HAS_USED_COMMAND) !== null,
  saveHasUsedCommand: () => write(HAS_USED_COMMAND, 'yes'),
};
