import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { Channel } from '../state/state.ts';
import { apiError } from './errors.ts';
import { isLockedTo } from './permissions.ts';

/**
 * Nothing in an archived thread changes until it is opened again, as whoever posts there does. Throws 50083. Source:
 * 'Threads', active and archived; 'Opcodes and Status Codes'.
 */
export function requireOpen({ thread }: Channel): void {
  if (thread?.archived) throw apiError(Code.InvalidActionOnArchivedThread);
}

/**
 * In a locked thread only who manages threads writes, and changes what they wrote. Throws 160005, or 50083 where it is
 * archived as well. Source: 'Threads', locked threads; discord-api-docs#5517 and #6884.
 */
export function requireUnlocked(channel: Channel, permissions: bigint): void {
  if (!isLockedTo(channel, permissions)) return;
  requireOpen(channel);
  throw apiError(Code.ThreadLocked);
}
