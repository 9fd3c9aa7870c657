import { channelMention } from 'discord.js';
import { linkToMessage } from '../../src/delivery/job-links.ts';
import type { Job, MessageLocation } from '../../src/jobs/job.ts';
import { isFlagged } from '../../src/jobs/job-task.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { checkDrawn } from './check-drawn.ts';
import type { Invocation } from './invocation.ts';
import { checkPlace, checkPostable, type Rules, readRules } from './rules.ts';
import { checkNotRemoved, shownJob } from './shown-job.ts';
import { checkOwnPictures } from './starting-picture.ts';

export const publishButton = (jobId: string, { actions }: Texts) =>
  button.primary(actions.publish, customId('imagine', 'publish', jobId));

/** Shows everybody a private picture, once, where its server allows it. */
export async function publish(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, message, reply, texts, context } = invocation;
  const reading = readRules(invocation);
  const job = await shownJob(options[0], invocation);
  if (job.member.id !== caller.member.id) throw new UserError(texts.actions.notYours);
  await checkNotRemoved(job, invocation);
  const rules = await reading;
  if (!job.private) return tell(job, job.posted, invocation);
  if (job.guildId === null || job.channelId !== caller.channelId) {
    throw new UserError(texts.actions.publishElsewhere(channelMention(job.channelId)));
  }
  await checkPublic(job, rules, invocation);
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
    await tell(job, published.message, invocation);
  });
}

/** Rejects with `UserError` where the server does not let everybody see here what this job draws. */
export async function checkPublic(job: Job, rules: Rules, invocation: Invocation): Promise<void> {
  checkPlace(rules, invocation);
  if (job.input?.own) checkOwnPictures(rules, invocation);
  await checkDrawn(job, rules, invocation);
  checkPostable(invocation);
  if (rules.flagged === 'private' && job.tasks.some(isFlagged))
    throw new UserError(invocation.texts.actions.publishFlagged);
}

const tell = (
  job: Job,
  posted: MessageLocation | undefined,
  { reply, texts }: Invocation<readonly string[]>,
): Promise<void> =>
  reply.respond({
    content: posted ? texts.actions.published(linkToMessage(job, posted)) : texts.actions.gone,
  });
