import type { Clock } from '@darkroom/time';
import { userMention } from 'discord.js';
import type { Job, MessageLocation } from '../jobs/job.ts';
import type { Message } from '../messages/message.ts';
import { classifyDiscordError, type DiscordFailure } from './classify-discord-error.ts';
import type { MessageApi } from './message-api.ts';
import { publicReply, tokenClosesAt } from './reply-access.ts';

/** Where a message reaches a job's member: an edit of the reply, a new message in the channel, or a direct message. */
export type TargetName = 'reply' | 'channel' | 'direct-message';

/** A target of one job. */
export interface Target {
  name: TargetName;
  /** Rejects as `MessageApi` does. */
  send(message: Message, signal: AbortSignal): Promise<MessageLocation>;
}

/** Refusals of an edit by the interaction token after which the bot's own edit may still work. */
const EDITABLE_BY_BOT: ReadonlySet<DiscordFailure['kind']> = new Set([
  'token-expired',
  'message-gone',
  'acknowledged',
  'refused',
]);

/**
 * The reply: by the interaction token while it lives, by the bot's own where that is refused or closed. Undefined where
 * neither reaches it: a private reply ends with its token.
 */
export function replyTarget(
  job: Job,
  { discord, clock }: { discord: MessageApi; clock: Clock },
): Target | undefined {
  const edits: Target['send'][] = [];
  if (job.secrets && clock.now() < tokenClosesAt(job)) {
    const reply = { applicationId: job.applicationId, token: job.secrets.interactionToken };
    edits.push((message, signal) => discord.editReply(reply, message, signal));
  }
  const location = publicReply(job);
  if (location) edits.push((message, signal) => discord.edit(location, message, signal));
  const [first, second] = edits;
  if (!first) return undefined;
  return {
    name: 'reply',
    async send(message, signal) {
      try {
        return await first(message, signal);
      } catch (error) {
        if (!second || !EDITABLE_BY_BOT.has(classifyDiscordError(error).kind)) throw error;
        return second(message, signal);
      }
    },
  };
}

/** New messages: one in the channel, which a private job never gets, and a direct one. */
export function newMessageTargets(job: Job, discord: MessageApi): Target[] {
  const channel: Target = {
    name: 'channel',
    send: (message, signal) => discord.post(job.channelId, job.id, mentioning(job, message), signal),
  };
  const direct: Target = {
    name: 'direct-message',
    async send(message, signal) {
      const channelId = await discord.openDirectMessage(job.member.id, signal);
      return discord.post(channelId, job.id, message, signal);
    },
  };
  return job.private ? [direct] : [channel, direct];
}

const mentioning = ({ member }: Job, message: Message): Message => ({
  ...message,
  content: [userMention(member.id), message.content].filter(Boolean).join('\n'),
  notify: [member.id],
});
