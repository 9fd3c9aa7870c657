import type { Clock } from '@darkroom/time';
import type { Job } from '../jobs/job.ts';
import type { Message } from '../messages/message.ts';
import type { ChannelBudgets, EditKind, EditRoute } from './channel-budget.ts';
import {
  classifyDiscordError,
  closesChannel,
  type DiscordFailure,
  NoBudgetError,
  unlessGone,
} from './classify-discord-error.ts';
import type { EditedMessage, MessageApi } from './message-api.ts';
import {
  isWithinToken,
  publicReply,
  type RefusedTokens,
  replyByToken,
  tokenClosesAt,
} from './reply-access.ts';
import type { Target } from './targets.ts';

export interface ReplyTarget extends Target {
  name: 'reply';
  /**
   * `kind`: whose room in the channel's budget it takes; an outcome's unless given. Rejects with `NoBudgetError`
   * where that is full.
   */
  send(message: Message, signal: AbortSignal, kind?: EditKind): Promise<EditedMessage>;
  /** Deletes it, as an outcome is sent. Resolves also where it is gone already. */
  remove(signal: AbortSignal): Promise<void>;
}

interface Route {
  edit(message: Message, signal: AbortSignal): Promise<EditedMessage>;
  remove(signal: AbortSignal): Promise<unknown>;
}

/** Refusals of an edit after which the other route may still work. */
const EDITABLE_OTHERWISE: ReadonlySet<DiscordFailure['kind']> = new Set([
  'token-expired',
  'message-gone',
  'acknowledged',
  'refused',
]);

/**
 * The reply of a job: by the interaction token while it lives, by the bot's own edit where that is refused, closed,
 * or has to wait. Undefined where neither reaches it: a private reply ends with its token.
 */
export function replyTarget(
  job: Job,
  {
    discord,
    channels,
    refusedTokens,
    clock,
  }: { discord: MessageApi; channels: ChannelBudgets; refusedTokens: RefusedTokens; clock: Clock },
): ReplyTarget | undefined {
  const { secrets } = job;
  const location = publicReply(job);
  const budget = channels.of(job.channelId);
  const routes = new Map<EditRoute, Route>();
  if (secrets && isWithinToken(job) && clock.now() < tokenClosesAt(job) && !refusedTokens.has(job)) {
    const reply = replyByToken(job, secrets.interactionToken);
    routes.set('webhook', {
      edit: (message, signal) => discord.editReply(reply, message, signal),
      remove: (signal) => discord.deleteReply(reply, signal),
    });
  }
  if (location) {
    routes.set('bot', {
      edit: (message, signal) => discord.edit(location, message, signal),
      remove: (signal) => discord.delete(location, signal),
    });
  }
  if (routes.size === 0) return undefined;

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
    if (closesChannel(failure)) budget.closeToBot();
    return routes.has('webhook');
  }

  /** The routes that Discord has not refused yet; the last one where it has refused all. */
  function openRoutes() {
    const isOpen = { webhook: () => !refusedTokens.has(job), bot: () => !budget.isClosedToBot() };
    const open = [...routes].filter(([route]) => isOpen[route]());
    return open.length > 0 ? open : [...routes].slice(-1);
  }

  /** By the route that has room soonest, and by the other one where that may help. */
  async function byRoute<Result>(kind: EditKind, call: (by: Route) => Promise<Result>): Promise<Result> {
    let wait: unknown;
    let refusal: unknown;
    const soonestFirst = openRoutes().sort(
      ([one], [other]) => budget.waitMs(kind, one) - budget.waitMs(kind, other),
    );
    for (const [route, by] of soonestFirst) {
      const waitMs = budget.waitMs(kind, route);
      if (waitMs > 0) {
        wait ??= new NoBudgetError(waitMs);
        continue;
      }
      budget.spend(kind, route);
      try {
        return await call(by);
      } catch (error) {
        const failure = classifyDiscordError(error);
        if (!noteFailure(route, failure)) throw error;
        if (failure.kind === 'temporary') wait ??= error;
        else refusal = error;
      }
    }
    throw wait ?? refusal;
  }

  return {
    name: 'reply',
    waitMs: () => Math.min(...openRoutes().map(([route]) => budget.waitMs('outcome', route))),
    send: (message, signal, kind = 'outcome') => byRoute(kind, (by) => by.edit(message, signal)),
    remove: async (signal) => void (await unlessGone(byRoute('outcome', (by) => by.remove(signal)))),
  };
}
