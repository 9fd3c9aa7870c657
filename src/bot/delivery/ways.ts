import { type REST, Routes, userMention } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Place, Whereabouts } from '../../jobs/delivery.ts';
import type { Job, JobSecrets } from '../../jobs/job.ts';
import { type Message, toBody } from '../message.ts';
import { findInReply, findPosted, placeOf } from './posted.ts';
import { tokenClosesAt } from './token.ts';
import { isUnknownChannel, verdictOn } from './verdict.ts';

/** For so long after a first attempt a nonce alone is trusted; Discord promises to remember one for "the past few minutes". */
const NONCE_TRUST_MS = 60_000;

/** One place to put a message before a job's member. */
export interface Way {
  name: 'reply' | 'post' | 'direct';
  /** Whether it leads into the channel of the job. */
  inChannel: boolean;
  /** Rejects as discord.js's REST does, or where the answer is no message. Can be repeated safely. */
  send(message: Message, signal: AbortSignal): Promise<Place>;
  /** Whether an earlier attempt has put the outcome there. Rejects where Discord fails in passing. */
  find(signal: AbortSignal): Promise<Whereabouts>;
}

export interface WaysDependencies {
  /** With the bot's token. */
  bot: REST;
  /** Without it: for interaction webhooks. */
  webhooks: REST;
  clock: Clock;
}

/**
 * The reply itself: by the interaction's token while it lives, by the bot's own where that is refused or closed.
 * Undefined where neither leads there: a private reply ends with its token.
 */
export function wayToReply(
  job: Job,
  secrets: JobSecrets | undefined,
  { bot, webhooks, clock }: WaysDependencies,
): Way | undefined {
  const { applicationId, channelId, reply } = job;
  const { messageId } = reply;
  const edits: ((message: Message, signal: AbortSignal) => Promise<unknown>)[] = [];
  if (secrets && clock.now() < tokenClosesAt(job)) {
    const route = Routes.webhookMessage(applicationId, secrets.interactionToken);
    edits.push((message, signal) => webhooks.patch(route, { ...toBody(message), signal, auth: false }));
  }
  if (!job.private && messageId !== undefined) {
    const route = Routes.channelMessage(channelId, messageId);
    edits.push((message, signal) => bot.patch(route, { ...toBody(message), signal }));
  }
  const [first, second] = edits;
  if (!first) return undefined;
  return {
    name: 'reply',
    inChannel: true,
    async send(message, signal) {
      const edited = first(message, signal).catch((error: unknown) => {
        if (!second || verdictOn(error) !== 'refused') throw error;
        return second(message, signal);
      });
      return placeOf(await edited);
    },
    find: (signal) => findInReply({ job, secrets, bot, webhooks, clock, signal }),
  };
}

/**
 * New messages: one in the channel, which a private job never gets, and a direct one. Discord forgets a nonce after some
 * minutes, so then our message is looked for first.
 */
export function waysToPost(job: Job, { bot, clock }: WaysDependencies): Way[] {
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
        if (clock.now() - since > NONCE_TRUST_MS) {
          const earlier = await findPosted({ bot, job, channelId, signal });
          if (earlier) return earlier;
        }
        const { body, files } = toBody(inChannel ? addressed(job, message) : message);
        const nonce = { nonce: job.id, enforce_nonce: true };
        const route = Routes.channelMessages(channelId);
        return placeOf(await bot.post(route, { body: { ...body, ...nonce }, files, signal }));
      },
      async find(signal) {
        try {
          return (await findPosted({ bot, job, channelId: await channelOf(signal), signal })) ?? 'nowhere';
        } catch (error) {
          if (verdictOn(error) === 'passing') throw error;
          return isUnknownChannel(error) ? 'nowhere' : 'unknown';
        }
      },
    };
  }

  const toChannel = posting({ name: 'post', inChannel: true }, async () => job.channelId);
  const directly = posting({ name: 'direct', inChannel: false }, (signal) => directChannel(bot, job, signal));
  return job.private ? [directly] : [toChannel, directly];
}

const channel = z.object({ id: z.string() });

/** The conversation with the job's member, opened where there is none. */
async function directChannel(bot: REST, { member }: Job, signal: AbortSignal): Promise<string> {
  const opened = await bot.post(Routes.userChannels(), { body: { recipient_id: member.id }, signal });
  return channel.parse(opened).id;
}

const addressed = ({ member }: Job, message: Message): Message => ({
  ...message,
  content: [userMention(member.id), message.content].filter(Boolean).join('\n'),
  notify: [member.id],
});
