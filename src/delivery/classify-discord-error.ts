import type { RetryPolicy } from '@darkroom/time';
import {
  RESTJSONErrorCodes as Code,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  RateLimitError,
} from 'discord.js';

/**
 * Why a call to Discord failed:
 * - `temporary` Discord or the network failed, or asked to wait. `mayHaveArrived`: the call may have worked all the
 *   same; `retryAfterMs`: how long Discord, or the budget of the channel, asks to wait, 0 where neither does;
 *   `sharedLimit`: it concerns every call of the kind in its channel
 * - `too-large` the same message with fewer bytes may pass
 * - `channel-gone` the channel was deleted, and with it whatever stood there
 * - `channel-forbidden` the bot does not see the channel, or is no member of its server any more
 * - `blocked` AutoMod does not let it be said in this server
 * - `message-gone` the message was deleted
 * - `token-expired` the interaction can no longer be answered: its three seconds, or fifteen minutes, are over
 * - `acknowledged` the interaction has been answered already
 * - `acknowledged-here` discord.js knows in this process that the interaction has been answered
 * - `refused` any other no, in Discord's own words
 */
export type DiscordFailure =
  | { kind: 'temporary'; mayHaveArrived: boolean; retryAfterMs: number; sharedLimit: boolean }
  | { kind: 'too-large' | 'channel-gone' | 'channel-forbidden' | 'blocked' | 'message-gone' }
  | { kind: 'token-expired' | 'acknowledged' | 'acknowledged-here' | 'refused' };

/** "API resource is currently overloaded" ("JSON Error Codes"). discord.js does not list it. */
const OVERLOADED = 130_000;

/**
 * How long no direct message is opened after too many new ones, in milliseconds: Discord does not say. Source: 'User',
 * Create DM.
 */
const OPENED_TOO_FAST_MS = 60_000;

/** From Discord's documentation ("JSON Error Codes"). A code that is not here is a refusal. */
const KINDS: ReadonlyMap<number, DiscordFailure['kind']> = new Map([
  [Code.UnknownChannel, 'channel-gone'],
  [Code.UnknownGuild, 'channel-forbidden'],
  [Code.MissingAccess, 'channel-forbidden'],
  [Code.MessageWasBlockedByAutomaticModeration, 'blocked'],
  [Code.TitleWasBlockedByAutomaticModeration, 'blocked'],
  [Code.UnknownMessage, 'message-gone'],
  [Code.UnknownInteraction, 'token-expired'],
  [Code.UnknownWebhook, 'token-expired'],
  [Code.InvalidWebhookToken, 'token-expired'],
  [Code.InteractionHasAlreadyBeenAcknowledged, 'acknowledged'],
  [Code.RequestEntityTooLarge, 'too-large'],
  [Code.FileUploadedExceedsMaximumSize, 'too-large'],
  [Code.MaximumNumberOfEditsToMessagesOlderThanOneHourReached, 'temporary'],
  [Code.ChannelSendRateLimit, 'temporary'],
  [Code.ServerSendRateLimit, 'temporary'],
  [Code.ActionCannotBePerformedDueToSlowmodeRateLimit, 'temporary'],
  [Code.OpeningDirectMessagesTooFast, 'temporary'],
  [OVERLOADED, 'temporary'],
]);

/** Whether after this failure the bot can show nothing in the channel, neither by an edit nor anew. */
export const closesChannel = ({ kind }: DiscordFailure): boolean =>
  kind === 'channel-gone' || kind === 'channel-forbidden';

/** Likewise, nothing of this message. */
export const closesChannelToMessage = (failure: DiscordFailure): boolean =>
  failure.kind === 'blocked' || closesChannel(failure);

/** Nothing was sent, because a budget, of the channel or of the bot, has no room for `waitMs` milliseconds. */
export class NoBudgetError extends Error {
  override readonly name = 'NoBudgetError';
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`there is no room to send it for ${Math.ceil(waitMs)} ms`);
    this.waitMs = waitMs;
  }
}

/**
 * Whether these are Discord's own words: what stands in front of it answers 403 and 404 as well, Cloudflare even as
 * Discord would. Source: 40333 in 'Opcodes and Status Codes'; discord-api-docs#6473.
 */
export const saidByDiscord = ({ code }: DiscordAPIError): boolean =>
  Number(code) > 0 && code !== Code.CloudflareIsBlockingYourRequest;

/** Only what Discord says itself is a refusal. */
export function classifyDiscordError(error: unknown): DiscordFailure {
  if (error instanceof NoBudgetError) return notNow(error.waitMs);
  if (error instanceof RateLimitError) {
    return notNow(Math.max(error.retryAfter, error.sublimitTimeout, 0), error.scope === 'shared');
  }
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.InteractionAlreadyReplied) {
    return { kind: 'acknowledged-here' };
  }
  if (!(error instanceof DiscordAPIError)) return { ...notNow(0), mayHaveArrived: true };
  if (error.status === 413) return { kind: 'too-large' };
  const isSaid = saidByDiscord(error);
  const kind = error.status === 429 || !isSaid ? 'temporary' : (KINDS.get(Number(error.code)) ?? 'refused');
  if (kind !== 'temporary') return { kind };
  const waitMs = error.code === Code.OpeningDirectMessagesTooFast ? OPENED_TOO_FAST_MS : 0;
  return { ...notNow(waitMs), mayHaveArrived: error.status !== 429 && !isSaid };
}

/** Of a call that changes what stands in a thread, which has to be opened first. */
export const isOfArchivedThread = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === Code.InvalidActionOnArchivedThread;

/** As `call`; undefined where there is no such message any more. */
export const unlessGone = <Result>(call: Promise<Result>): Promise<Result | undefined> =>
  call.catch((error: unknown) => {
    const { kind } = classifyDiscordError(error);
    if (kind === 'message-gone' || kind === 'channel-gone') return undefined;
    throw error;
  });

const notNow = (retryAfterMs: number, sharedLimit = false) =>
  ({ kind: 'temporary', mayHaveArrived: false, retryAfterMs, sharedLimit }) as const;

/** Of a call that may be made again while Discord fails, or asks to wait. */
export const retryTemporary = {
  isRetryable: (error: unknown) => classifyDiscordError(error).kind === 'temporary',
  retryAfterMs(error: unknown) {
    const failure = classifyDiscordError(error);
    return failure.kind === 'temporary' ? failure.retryAfterMs : undefined;
  },
} satisfies RetryPolicy;
