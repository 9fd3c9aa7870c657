import { setTimeout as delay } from 'node:timers/promises';
import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, RESTJSONErrorCodes } from 'discord.js';
import { within } from '../deadline.ts';
import { mayHaveArrived, verdictOn } from './delivery/verdict.ts';

/**
 * For one attempt, and the waits between them, in real milliseconds: together they end within the three seconds for which
 * Discord takes a first answer.
 */
const ATTEMPT_MS = 800;
const WAITS_MS = [100, 400];

/** After so long, in real milliseconds, another process would have written into a reply of its own. */
const OTHER_MS = 1_000;

/** Whether somebody has answered the interaction already. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;

/** Whether the interaction can no longer be answered: its three seconds, or fifteen minutes, are over. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof DiscordAPIError &&
  (error.code === RESTJSONErrorCodes.UnknownInteraction ||
    error.code === RESTJSONErrorCodes.InvalidWebhookToken);

/** Whether an attempt that was no longer waited for has worked after all. */
const hasWorked = (error: unknown): boolean =>
  error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.InteractionAlreadyReplied;

/** The first answers of one interaction. An attempt that nobody answered may have arrived all the same. */
export interface FirstAnswer {
  /**
   * What `send` resolves with; undefined where an attempt before it turns out to have arrived. Tried again where Discord
   * or the network failed. `isOurs`: whether the answer that stands there can be that attempt, or is another process's for
   * certain. Rejects as `send` does.
   */
  give<Result>(send: () => Promise<Result>, isOurs: () => Promise<boolean>): Promise<Result | undefined>;
}

export function createFirstAnswer(): FirstAnswer {
  let suspect = false;

  async function hasArrived(error: unknown, isOurs: () => Promise<boolean>): Promise<boolean> {
    if (!suspect) return false;
    if (hasWorked(error)) return true;
    if (!isAnswered(error)) return false;
    await delay(OTHER_MS);
    return isOurs();
  }

  return {
    async give(send, isOurs) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await within(ATTEMPT_MS, undefined, send);
        } catch (error) {
          if (await hasArrived(error, isOurs)) return undefined;
          if (verdictOn(error) !== 'passing') throw error;
          suspect ||= mayHaveArrived(error);
          const wait = WAITS_MS[attempt];
          if (wait === undefined) throw error;
          await delay(wait);
        }
      }
    },
  };
}
