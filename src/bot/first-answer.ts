import { setTimeout as delay } from 'node:timers/promises';
import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';
import { verdictOn } from './delivery/verdict.ts';

/** Waits between attempts, in real milliseconds: Discord takes a first answer for three seconds. */
const WAITS_MS = [100, 400];

/** Whether somebody has answered the interaction already. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;

/** Whether the interaction can no longer be answered: its three seconds, or fifteen minutes, are over. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof DiscordAPIError &&
  (error.code === RESTJSONErrorCodes.UnknownInteraction ||
    error.code === RESTJSONErrorCodes.InvalidWebhookToken);

/** The first answers of one interaction. An attempt that nobody answered may have arrived all the same. */
export interface FirstAnswer {
  /**
   * What `send` resolves with; undefined where an attempt before it turns out to have arrived. Tried again where Discord
   * or the network failed. Rejects as `send` does.
   */
  give<Result>(send: () => Promise<Result>): Promise<Result | undefined>;
}

export function createFirstAnswer(): FirstAnswer {
  let mayHaveArrived = false;
  return {
    async give(send) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await send();
        } catch (error) {
          if (mayHaveArrived && isAnswered(error)) return undefined;
          if (verdictOn(error) !== 'passing') throw error;
          mayHaveArrived = true;
          const wait = WAITS_MS[attempt];
          if (wait === undefined) throw error;
          await delay(wait);
        }
      }
    },
  };
}
