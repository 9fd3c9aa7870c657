import { userMention } from 'discord.js';
import type { Job, MessageLocation } from '../jobs/job.ts';
import type { Message } from '../messages/message.ts';
import type { MessageApi } from './message-api.ts';

/**
 * Where a message reaches the member of one job: an edit of the reply, a message beside it that only they see, a new
 * message in the channel, or a direct message.
 */
export interface Target {
  name: 'reply' | 'follow-up' | 'channel' | 'direct-message';
  /** Milliseconds until it takes an outcome; at once unless given. */
  waitMs?(): number;
  /** Rejects as `MessageApi` does. */
  send(message: Message, signal: AbortSignal): Promise<MessageLocation>;
}

/** New messages: one in the channel, unless the job is private or the bot is no member there, and a direct one. */
export function newMessageTargets(job: Job, discord: MessageApi): Target[] {
  const channel: Target = {
    name: 'channel',
    send: (message, signal) => discord.post(job, job.id, mentioning(job, message), signal),
  };
  const direct: Target = {
    name: 'direct-message',
    async send(message, signal) {
      const channelId = await discord.openDirectMessage(job.member.id, signal);
      return discord.post({ guildId: null, channelId }, job.id, message, signal);
    },
  };
  return job.private || job.away ? [direct] : [channel, direct];
}

/** The outcome names its member already, where it is for all. */
const mentioning = ({ member }: Job, message: Message): Message => {
  const mention = userMention(member.id);
  const { content = '' } = message;
  return {
    ...message,
    content: content.startsWith(mention) ? content : `${mention}\n${content}`,
    notify: [member.id],
  };
};
