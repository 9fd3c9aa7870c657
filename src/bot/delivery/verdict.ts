import { RESTJSONErrorCodes as Code, DiscordAPIError, RateLimitError } from 'discord.js';

/**
 * What a failed attempt means for the next one:
 * - `passing` Discord or the network failed, or asked to wait; the attempt may even have worked
 * - `too-large` the same message with fewer bytes may pass
 * - `channel-closed` nothing of this can be shown in this channel
 * - `refused` this way is closed, another may be open
 */
export type Verdict = 'passing' | 'too-large' | 'channel-closed' | 'refused';

/** Discord's documentation, "JSON Error Codes", which discord.js does not know whole: "API resource is currently overloaded". */
const OVERLOADED = 130_000;

const VERDICTS: ReadonlyMap<number, Verdict> = new Map([
  [Code.UnknownChannel, 'channel-closed'],
  [Code.UnknownGuild, 'channel-closed'],
  [Code.MissingAccess, 'channel-closed'],
  [Code.MessageWasBlockedByAutomaticModeration, 'channel-closed'],
  [Code.TitleWasBlockedByAutomaticModeration, 'channel-closed'],
  [Code.RequestEntityTooLarge, 'too-large'],
  [Code.FileUploadedExceedsMaximumSize, 'too-large'],
  [Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached, 'passing'],
  [Code.ChannelSendRateLimit, 'passing'],
  [Code.ServerSendRateLimit, 'passing'],
  [Code.ActionCannotBePerformedDueToSlowmodeRateLimit, 'passing'],
  [OVERLOADED, 'passing'],
]);

/** Only an answer in Discord's own words is a refusal: proxies in front of it answer 403 and 404 as well. */
export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof DiscordAPIError)) return 'passing';
  if (error.status === 413) return 'too-large';
  const code = Number(error.code);
  if (error.status === 429 || !(code > 0)) return 'passing';
  return VERDICTS.get(code) ?? 'refused';
}

/** Whether an attempt that failed in passing may have worked all the same: not where Discord itself said no. */
export const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof RateLimitError) &&
  !(error instanceof DiscordAPIError && (error.status === 429 || Number(error.code) > 0));

/** The channel is gone, and with it whatever stood there. */
export const isUnknownChannel = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === Code.UnknownChannel;

/** Milliseconds that Discord asks to wait; 0 where it does not. */
export const askedToWaitMs = (error: unknown): number =>
  error instanceof RateLimitError ? Math.max(error.retryAfter, error.sublimitTimeout, 0) : 0;
