import { ButtonStyle, TimestampStyles, time } from 'discord.js';
import { type Button, button, customId, rowsOf } from '../src/bot/buttons.ts';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import type { Texts } from '../src/bot/locale/en.ts';
import { headline, linkToPlace } from '../src/bot/render.ts';
import { UserError } from '../src/errors.ts';
import type { Job } from '../src/jobs/job.ts';

/** Ten lines with their links fit into a message. */
const HEADLINE_CHARACTERS = 60;

export const jobs = defineCommand({
  data: {
    name: 'jobs',
    description: 'Show your running and recent pictures, and fetch what waits for you',
    ...EVERYWHERE,
  },

  async run({ asker, reply, texts, context: { tracker } }) {
    await reply.defer({ private: true });
    const recent = await tracker.recent(asker.memberId);
    if (recent.length === 0) return reply.privately({ content: texts.jobs.none });
    await reply.privately({
      content: recent.map((job, index) => lineOf(job, index + 1, texts)).join('\n'),
      rows: rowsOf(...recent.flatMap((job, index) => buttonsOf(job, index + 1, texts))),
    });
  },

  buttons: {
    async stop(press) {
      const job = await ownJob(press);
      const stopped = await press.context.tracker.cancel(job.id);
      await press.reply.privately({ content: stopped ? press.texts.jobs.stopped : press.texts.jobs.over });
    },

    async show(press) {
      const job = await ownJob(press);
      const { asker, reply, texts, context } = press;
      if (job.state !== 'waiting') throw new UserError(texts.jobs.over);
      const messageId = await reply.defer({ private: job.private });
      const { token: interactionToken, askedAt, guildId, channelId, attachmentLimit } = asker;
      const fresh = { interactionToken, askedAt, guildId, channelId, attachmentLimit, messageId };
      const handedOut = await context.tracker.handOut(job.id, fresh);
      if (handedOut !== 'handed-out') throw new UserError(texts.jobs[handedOut]);
    },
  },
});

async function ownJob({
  options: [id = ''],
  asker,
  texts,
  context,
}: Invocation<readonly string[]>): Promise<Job> {
  const job = await context.tracker.find(id);
  if (job?.member.id !== asker.memberId) throw new UserError(texts.jobs.over);
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
  return job.private || !place ? undefined : linkToPlace(job, place);
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
