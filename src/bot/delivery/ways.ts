import { type REST, Routes, userMention } from 'discord.js';
import type { APIDMChannel, APIMessage } from 'discord-api-types/v10';
import type { Clock } from '../../clock.ts';
import type { Place } from '../../jobs/delivery.ts';
import type { Job, JobSecrets } from '../../jobs/job.ts';
import { type Message, toBody } from '../message.ts';
import { findPosted } from './posted.ts';

/** The last minute of a token's life is left to what is under way. */
export const TOKEN_MARGIN_MS = 60_000;

/** For so long after a first attempt a nonce alone is trusted; Discord promises to remember one for "the past few minutes". */
const NONCE_TRUST_MS = 60_000;

/** One way to put a message before a job's member; rejects as discord.js's REST does. Can be repeated safely. */
export interface Way {
  name: 'reply' | 'edit' | 'post' | 'direct';
  /** Whether it leads into the channel of the job. */
  inChannel: boolean;
  send(message: Message, signal: AbortSignal): Promise<Place>;
}

export interface WaysDependencies {
  /** With the bot's token. */
  bot: REST;
  /** Without it: for interaction webhooks. */
  webhooks: REST;
  clock: Clock;
}

/** The reply itself: by the interaction's token while it lives, by the bot's own after that. A private one ends with its token. */
export function waysToReply(
  { applicationId, channelId, reply, private: hidden }: Job,
  secrets: JobSecrets | undefined,
  { bot, webhooks, clock }: WaysDependencies,
): Way[] {
  const { messageId } = reply;
  const ways: Way[] = [];
  if (secrets && clock.now() < reply.tokenExpiresAt - TOKEN_MARGIN_MS) {
    const route = Routes.webhookMessage(applicationId, secrets.interactionToken);
    ways.push({
      name: 'reply',
      inChannel: true,
      send: async (message, signal) =>
        placeOf(await webhooks.patch(route, { ...toBody(message), signal, auth: false })),
    });
  }
  if (!hidden && messageId !== undefined) {
    const route = Routes.channelMessage(channelId, messageId);
    ways.push({
      name: 'edit',
      inChannel: true,
      send: async (message, signal) => placeOf(await bot.patch(route, { ...toBody(message), signal })),
    });
  }
  return ways;
}

/**
 * New messages: one in the channel, which a private job never gets, and a direct one. `suspect`: an attempt that nobody
 * remembers may have posted already. Discord forgets a nonce after some minutes, so then our message is looked for first.
 */
export function waysToPost(job: Job, suspect: boolean, { bot, clock }: WaysDependencies): Way[] {
  function posting(
    { name, inChannel }: Pick<Way, 'name' | 'inChannel'>,
    channelOf: (signal: AbortSignal) => Promise<string>,
  ): Way {
    let since: number | undefined;
    return {
      name,
      inChannel,
      async send(message, signal) {
        since ??= clock.now();
        const channelId = await channelOf(signal);
        if (suspect || clock.now() - since > NONCE_TRUST_MS) {
          const earlier = await findPosted({ bot, job, channelId, signal });
          if (earlier) return earlier;
        }
        const { body, files } = toBody(inChannel ? addressed(job, message) : message);
        const nonce = { nonce: job.id, enforce_nonce: true };
        const route = Routes.channelMessages(channelId);
        return placeOf(await bot.post(route, { body: { ...body, ...nonce }, files, signal }));
      },
    };
  }

  const toChannel = posting({ name: 'post', inChannel: true }, async () => job.channelId);
  const directly = posting({ name: 'direct', inChannel: false }, (signal) => directChannel(bot, job, signal));
  return job.private ? [directly] : [toChannel, directly];
}

/** The conversation with the job's member, opened where there is none. */
export async function directChannel(bot: REST, { member }: Job, signal: AbortSignal): Promise<string> {
  const opened = await bot.post(Routes.userChannels(), { body: { recipient_id: member.id }, signal });
  // discord.js leaves the types of answers to its caller; this is Discord's own answer to its own route.
  return (opened as APIDMChannel).id;
}

const addressed = ({ member }: Job, message: Message): Message => ({
  ...message,
  content: [userMention(member.id), message.content].filter(Boolean).join('\n'),
  notify: [member.id],
});

/** As above: every answer here is a message. */
function placeOf(answer: unknown): Place {
  const { id, channel_id } = answer as APIMessage;
  return { channelId: channel_id, messageId: id };
}
