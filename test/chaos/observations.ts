import type { APIMessage } from 'discord-api-types/v10';
import type { LocalDiscord } from 'local-discord';
import { isEphemeral, isLoading } from '../../packages/local-discord/src/page/message-flags.ts';
import { BOT } from '../../packages/local-discord/test/support/local-discord.ts';
import type { Trace } from './trace.ts';

/** A message that shows, or showed before it was deleted, how a job ended. */
export interface ObservedOutcome {
  messageId: string;
  jobId: string;
  /** Whose job it is. */
  memberId: string;
  /** Names of its pictures. */
  files: readonly string[];
  /** When its outcome was first seen, by the clock of the run. */
  since: number;
}

export type Observations = ReturnType<typeof createObservations>;

/** Records the messages that these users see; the first of them sees every channel. */
export function createObservations({
  discord,
  userIds,
  trace,
  now,
}: {
  discord: LocalDiscord;
  userIds: readonly string[];
  trace: Trace;
  now: () => number;
}) {
  const outcomes = new Map<string, ObservedOutcome>();

  function observe(message: APIMessage, what: string): void {
    const buttons = JSON.stringify(message.components ?? []);
    // Under every outcome, and not under what More answers: that offers Again and Delete as well.
    const [, jobId, memberId] = /imagine:more:(\d+):(\d+)/.exec(buttons) ?? [];
    const files = message.attachments.map(({ filename }) => filename);
    const text = isLoading(message) ? '(thinking)' : message.content.replaceAll('\n', ' / ').slice(0, 100);
    trace.record(
      'chat',
      `message ${message.id} in ${message.channel_id} ${what}: ${isEphemeral(message) ? '(private) ' : ''}${text}` +
        (jobId === undefined ? '' : ` [outcome: ${files.join(', ') || 'no picture'}]`),
      [message.id, message.interaction_metadata?.id ?? '', jobId ?? ''],
    );
    if (jobId === undefined || memberId === undefined) return;
    const { since = now() } = outcomes.get(message.id) ?? {};
    outcomes.set(message.id, { messageId: message.id, jobId, memberId, files, since });
  }

  const directChannels = new Set(userIds.map((id) => discord.as(id).openDirectMessage(BOT).id));
  const isPublic = (message: APIMessage) => !directChannels.has(message.channel_id) && !isEphemeral(message);
  for (const userId of userIds) {
    discord.as(userId).subscribe((event) => {
      if (event.type === 'message-created' || event.type === 'message-updated') {
        const what = event.type === 'message-created' ? 'appears' : 'changes';
        if (userId === userIds[0] || !isPublic(event.message)) observe(event.message, what);
      } else if (event.type === 'message-deleted') {
        const { channelId, messageId } = event;
        if (userId !== userIds[0] && !directChannels.has(channelId)) return;
        trace.record('chat', `message ${messageId} is deleted`, [messageId]);
      }
    });
  }

  return {
    /** Every one that any of them has seen. */
    outcomes: () => [...outcomes.values()],
  };
}
