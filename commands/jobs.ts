import { ButtonStyle, TimestampStyles, time } from 'discord.js';
import { cancelJob } from '../src/bot/cancel-job.ts';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { headline } from '../src/delivery/prompt-text.ts';
import { linkToMessage } from '../src/delivery/render-redirect.ts';
import { hidingOf } from '../src/guilds/guild-settings.ts';
import type { Job } from '../src/jobs/job.ts';
import { type Button, button, customId, rowsOf } from '../src/messages/buttons.ts';
import type { Texts } from '../src/messages/locale/en.ts';
import type { Message } from '../src/messages/message.ts';

/** Ten lines with their links fit into a message. */
const HEADLINE_CHARACTERS = 60;

export const jobs = defineCommand({
  data: {
    name: 'jobs',
    description: 'Show your running and recent pictures, and fetch what waits for you',
    ...EVERYWHERE,
  },

  run: (invocation) => invocation.reply.answer(list(invocation)),

  buttons: {
    async stop(invocation) {
      const job = await ownJob(invocation);
      await cancelJob(invocation, job);
    },

    async show(invocation) {
      const job = await ownJob(invocation);
      const { caller, reply, texts, context } = invocation;
      if (job.state !== 'waiting') throw new UserError(texts.jobs.over);
      const [settings, ageRestricted] = await Promise.all([
        context.guildSettings.of(caller.guildId),
        caller.isAgeRestricted(),
      ]);
      const redelivery = await context.tracker.redeliver(job.id, caller, {
        flagged: hidingOf(settings, ageRestricted),
        acknowledge: ({ private: hidden }) => reply.deferReply({ ephemeral: hidden }),
      });
      if (redelivery !== 'begun') throw new UserError(texts.jobs[redelivery]);
    },
  },
});

async function list({ caller, texts, context: { tracker } }: Invocation): Promise<Message> {
  const recent = await tracker.recent(caller.member.id);
  if (recent.length === 0) return { content: texts.jobs.none };
  return {
    content: recent.map((job, index) => lineOf(job, index + 1, texts)).join('\n'),
    rows: rowsOf(...recent.flatMap((job, index) => buttonsOf(job, index + 1, texts))),
  };
}

async function ownJob({
  options: [id = ''],
  caller,
  texts,
  context,
}: Invocation<readonly string[]>): Promise<Job> {
  const job = await context.tracker.find(id);
  if (job?.member.id !== caller.member.id) throw new UserError(texts.jobs.over);
  return job;
}

function lineOf(job: Job, number: number, texts: Texts): string {
  const began = time(new Date(job.createdAt), TimestampStyles.RelativeTime);
  const link = linkTo(job);
  return [
    `${number}. **${headline(job, texts, HEADLINE_CHARACTERS)}**`,
    texts.jobs.state[job.state],
    began,
    ...(link ? [link] : []),
  ].join(' · ');
}

/** Private messages have no link that leads to them. */
function linkTo(job: Job): string | undefined {
  const { channelId, posted, reply } = job;
  const place =
    posted ?? (reply.messageId === undefined ? undefined : { channelId, messageId: reply.messageId });
  return job.private || !place ? undefined : linkToMessage(job, place);
}

function buttonsOf({ id, state }: Job, number: number, { jobs }: Texts): Button[] {
  if (state === 'waiting') {
    return [button(ButtonStyle.Primary, jobs.show(number), customId('jobs', 'show', id))];
  }
  if (state === 'developing') {
    return [button(ButtonStyle.Secondary, jobs.stop(number), customId('jobs', 'stop', id))];
  }
  return [];
}
