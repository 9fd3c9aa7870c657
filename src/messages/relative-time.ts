import { TimestampStyles, time } from 'discord.js';

/** How far away a moment is, which Discord keeps up to date by itself. `at`: milliseconds since the epoch. */
export const relativeTime = (at: number): string => time(new Date(at), TimestampStyles.RelativeTime);
