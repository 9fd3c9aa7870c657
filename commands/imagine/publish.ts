import { channelMention } from 'discord.js';
import { linkToMessage } from '../../src/delivery/job-links.ts';
import type { Job, MessageLocation } from '../../src/jobs/job.ts';
import { isFlagged } from '../../src/jobs/job-task.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { checkDrawn } from './check-drawn.ts';
import { checkOwnPictures, isOfBlocked } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { checkPlace, checkPostable, type Rules, readRules } from './rules.ts';
import { checkNotRemoved, shownJob } from './shown-job.ts';

export const publishButton = (jobId: string, { actions }: Texts) =>
  button.primary(actions.publish, customId('imagine', 'publish', jobId));

/** Shows everybody a private picture, once, where its server allows it. */
export async function publish(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, message, reply, texts, context } = invocation;
  const reading = readRules(invocation);
  const job = await shownJob(invocation, options[0]);
  if (job.member.id !== caller.member.id) throw new UserError(texts.actions.notYours);
  await checkNotRemoved(invocation, job);
  const rules = await reading;
  if (!job.private) return tell(invocation, job, job.posted);
  if (job.guildId === null || job.channelId !== caller.channelId) {
    throw new UserError(texts.actions.publishElsewhere(channelMention(job.channelId)));
  }
  await checkPublic(invocation, job, rules);
  const { settings, flagged } = rules;
  if (job.withheld && job.tasks.some(isFlagged)) throw new UserError(texts.actions.publishFlagged);
  await reply.acknowledge();
  await context.pictures.presses.once(`${caller.member.id}:publish:${job.id}`, async () => {
    const published = await context.pictures.publications.publish(job.id, message?.files ?? [], {
      locale: settings.locale ?? job.member.locale,
      flagged,
      ...(caller.away && {
        away: {
          post: (outcome) => reply.followUp(outcome, { ephemeral: false }),
          remove: ({ messageId }) => reply.deleteMessage(messageId),
        },
      }),
    });
    const { notPublished, removed } = texts.actions;
    if (published.state !== 'public') throw new UserError({ ...notPublished, removed }[published.state]);
    await tell(invocation, job, published.message);
  });
}

/** Rejects with `UserError` where the server does not let everybody see here what this job draws. */
export async function checkPublic(invocation: Invocation, job: Job, rules: Rules): Promise<void> {
  checkPlace(invocation, rules);
  if (job.input?.own) checkOwnPictures(invocation, rules);
  if (job.input && (await isOfBlocked(invocation, job.input)))
    throw new UserError(invocation.texts.source.ofBlocked);
  await checkDrawn(invocation, job, rules);
  checkPostable(invocation);
  if (rules.flagged === 'private' && job.tasks.some(isFlagged))
    throw new UserError(invocation.texts.actions.publishFlagged);
}

const tell = (
  { reply, texts }: Invocation<readonly string[]>,
  job: Job,
  posted: MessageLocation | undefined,
): Promise<void> =>
  reply.respond({
    content: posted ? texts.actions.published(linkToMessage(job, posted)) : texts.actions.gone,
  });
