import type { Clock } from '@darkroom/time';
import type { Job, MessageLocation } from '../jobs/job.ts';
import type { Message } from '../messages/message.ts';
import type { ChannelBudgets, EditKind, EditRoute } from './channel-budget.ts';
import {
  classifyDiscordError,
  closesChannel,
  type DiscordFailure,
  NoBudgetError,
} from './classify-discord-error.ts';
import type { MessageApi } from './message-api.ts';
import type { RefusedTokens } from './refused-tokens.ts';
import { publicReply, tokenClosesAt } from './reply-access.ts';
import type { Target } from './targets.ts';

/** The reply of one job. */
export interface ReplyTarget extends Target {
  name: 'reply';
  /** `kind`: what the edit may spend of its channel's budget; an outcome unless given. Rejects with `NoBudgetError` where it has to wait. */
  send(message: Message, signal: AbortSignal, kind?: EditKind): Promise<MessageLocation>;
}

/** Refusals of an edit after which the other route may still work. */
const EDITABLE_OTHERWISE: ReadonlySet<DiscordFailure['kind']> = new Set([
  'token-expired',
  'message-gone',
  'acknowledged',
  'refused',
]);

/** How long the bot does not try again where it may not see the channel and there is another way, in milliseconds. */
const CLOSED_MS = 10 * 60_000;

/**
 * The replies of jobs: by the interaction token while it lives, by the bot's own edit where that is refused, closed, or has to
 * wait. Undefined where neither reaches it: a private reply ends with its token.
 */
export function createReplyTargets({
  discord,
  channels,
  refusedTokens,
  clock,
}: {
  discord: MessageApi;
  channels: ChannelBudgets;
  refusedTokens: RefusedTokens;
  clock: Clock;
}) {
  return function replyOf(job: Job): ReplyTarget | undefined {
    const { applicationId, secrets } = job;
    const location = publicReply(job);
    const budget = channels.of(job.channelId);
    const edits = new Map<EditRoute, Target['send']>();
    if (secrets && clock.now() < tokenClosesAt(job) && !refusedTokens.has(job)) {
      const reply = { applicationId, token: secrets.interactionToken };
      edits.set('webhook', (message, signal) => discord.editReply(reply, message, signal));
    }
    if (location) edits.set('bot', (message, signal) => discord.edit(location, message, signal));
    if (edits.size === 0) return undefined;

    /** Remembers what `failure` says of the route. Whether another one may do. */
    function noteFailure(route: EditRoute, failure: DiscordFailure): boolean {
      if (failure.kind === 'temporary') {
        if (failure.sharedLimit || route === 'bot') budget.pause(route, failure.retryAfterMs);
        return failure.retryAfterMs > 0;
      }
      if (route === 'webhook') {
        if (failure.kind === 'token-expired') refusedTokens.add(job);
        return EDITABLE_OTHERWISE.has(failure.kind);
      }
      if (closesChannel(failure)) budget.closeToBot(CLOSED_MS);
      return edits.has('webhook');
    }

    /** The routes that Discord has not refused yet; the last one where it has refused all. */
    function openRoutes() {
      const isOpen = { webhook: () => !refusedTokens.has(job), bot: () => !budget.isClosedToBot() };
      const open = [...edits].filter(([route]) => isOpen[route]());
      return open.length > 0 ? open : [...edits].slice(-1);
    }

    return {
      name: 'reply',
      waitMs: () => Math.min(...openRoutes().map(([route]) => budget.waitMs('outcome', route))),
      async send(message, signal, kind = 'outcome') {
        let wait: unknown;
        let refusal: unknown;
        const soonestFirst = openRoutes().sort(
          ([one], [other]) => budget.waitMs(kind, one) - budget.waitMs(kind, other),
        );
        for (const [route, edit] of soonestFirst) {
          const waitMs = budget.waitMs(kind, route);
          if (waitMs > 0) {
            wait ??= new NoBudgetError(waitMs);
            continue;
          }
          budget.spend(route);
          try {
            return await edit(message, signal);
          } catch (error) {
            const failure = classifyDiscordError(error);
            if (!noteFailure(route, failure)) throw error;
            if (failure.kind === 'temporary') wait ??= error;
            else refusal = error;
          }
        }
        throw wait ?? refusal;
      },
    };
  };
}
