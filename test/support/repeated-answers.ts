import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { RequestRecord } from '../../packages/local-discord/src/rest/requests.ts';

/**
 * Without the first answers that were refused because another one to the same interaction was taken (40060): on a
 * slow machine the bot sends it once more. One that was refused so although none was taken stays.
 */
export function withoutRepeatedAnswers(requests: readonly RequestRecord[]): RequestRecord[] {
  const isTaken = ({ status }: RequestRecord) => status !== null && status < 400;
  // The path of a first answer names its interaction.
  const taken = new Set(requests.filter(isTaken).map(({ path }) => path));
  return requests.filter(
    ({ path, code }) => code !== RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged || !taken.has(path),
  );
}
