import { type Clock, createCache } from '@darkroom/time';
import { type Job, type MessageLocation, TOKEN_LIFE_MS } from '../jobs/job.ts';
import type { ChannelLocation, InteractionReply } from './message-api.ts';

/** The last minute of an interaction token's life is left to calls that are under way. */
const TOKEN_MARGIN_MS = 60_000;

/** How many refused tokens are remembered. */
const MOST_REFUSED = 10_000;

/** When the interaction token of a reply expires, by our clock. */
export const tokenExpiresAt = ({ reply: { tokenExpiresAt, aheadMs = 0 } }: Job): number =>
  tokenExpiresAt + aheadMs;

/** When the reply of a job stops being edited by its interaction token, by our clock. */
export const tokenClosesAt = (job: Job): number => tokenExpiresAt(job) - TOKEN_MARGIN_MS;

/**
 * Where the bot reaches the reply by its own token. Undefined where only the interaction token does: it is private,
 * its id is not known, or the bot is no member there.
 */
export const publicReply = ({
  private: hidden,
  withheld,
  away,
  guildId,
  channelId,
  reply: { messageId },
}: Job): (MessageLocation & ChannelLocation) | undefined =>
  (hidden && !withheld) || away || messageId === undefined ? undefined : { guildId, channelId, messageId };

/** Whether the token reaches the reply: of a follow-up whose id is not known it would reach the message before it. */
export const isWithinToken = ({ reply: { followUp, messageId } }: Job): boolean =>
  !followUp || messageId !== undefined;

export const replyByToken = (
  { applicationId, guildId, reply: { followUp, messageId } }: Job,
  token: string,
): InteractionReply => ({ applicationId, guildId, token, ...(followUp && { messageId }) });

/** The interaction tokens that Discord has refused: it shuts out, in the end, whoever goes on using them. */
export type RefusedTokens = ReturnType<typeof createRefusedTokens>;

export function createRefusedTokens({ clock }: { clock: Pick<Clock, 'now'> }) {
  const refused = createCache<string, true>({ max: MOST_REFUSED, ttlMs: TOKEN_LIFE_MS, clock });
  return {
    add({ secrets }: Job): void {
      if (secrets) refused.set(secrets.interactionToken, true);
    },
    has: ({ secrets }: Job): boolean =>
      secrets !== undefined && refused.get(secrets.interactionToken) !== undefined,
  };
}
