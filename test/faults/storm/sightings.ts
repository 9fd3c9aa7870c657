import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { LocalDiscord } from '../../../src/local-discord/local-discord.ts';
import { BOT } from '../../support/local-discord.ts';
import type { Diary } from './diary.ts';

/** A message that has shown how a job ended, though it may be gone. */
export interface Outcome {
  messageId: string;
  jobId: string;
  /** Whose job it is. */
  memberId: string;
  /** Names of its pictures. */
  files: readonly string[];
  /** When it was first seen like this, by the storm's clock. */
  since: number;
}

/** Every outcome that any of the people has ever seen. */
export interface Sightings {
  outcomes(): Outcome[];
}

/** Watches Discord over the shoulders of `people`, of whom the first sees every channel. */
export function createSightings({
  discord,
  people,
  diary,
  now,
}: {
  discord: LocalDiscord;
  people: readonly string[];
  diary: Diary;
  now: () => number;
}): Sightings {
  const outcomes = new Map<string, Outcome>();

  function see(message: APIMessage, what: string): void {
    const buttons = JSON.stringify(message.components ?? []);
    const jobId = /imagine:again:(\d+)/.exec(buttons)?.[1];
    const memberId = /imagine:delete:(\d+)/.exec(buttons)?.[1];
    const files = message.attachments.map(({ filename }) => filename);
    const isPrivate = (Number(message.flags) & MessageFlags.Ephemeral) !== 0;
    const isLoading = (Number(message.flags) & MessageFlags.Loading) !== 0;
    const words = isLoading ? '(thinking)' : message.content.replaceAll('\n', ' / ').slice(0, 100);
    diary.note(
      'chat',
      `message ${message.id} in ${message.channel_id} ${what}: ${isPrivate ? '(private) ' : ''}${words}` +
        (jobId === undefined ? '' : ` [outcome: ${files.join(', ') || 'no picture'}]`),
      [message.id, message.interaction_metadata?.id ?? '', jobId ?? ''],
    );
    if (jobId === undefined || memberId === undefined) return;
    const { since = now() } = outcomes.get(message.id) ?? {};
    outcomes.set(message.id, { messageId: message.id, jobId, memberId, files, since });
  }

  const conversations = new Set(people.map((person) => discord.as(person).openDirectMessage(BOT).id));
  const isForAll = ({ channel_id, flags }: APIMessage) =>
    !conversations.has(channel_id) && (Number(flags) & MessageFlags.Ephemeral) === 0;
  for (const person of people) {
    discord.as(person).watch((event) => {
      if (event.type === 'message-created' || event.type === 'message-updated') {
        const what = event.type === 'message-created' ? 'appears' : 'changes';
        if (person === people[0] || !isForAll(event.message)) see(event.message, what);
      } else if (event.type === 'message-deleted') {
        const { channelId, messageId } = event;
        if (person !== people[0] && !conversations.has(channelId)) return;
        diary.note('chat', `message ${messageId} is gone`, [messageId]);
      }
    });
  }

  return { outcomes: () => [...outcomes.values()] };
}
