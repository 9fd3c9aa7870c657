import { messageLink, userMention } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { fileOf } from '../../src/delivery/render-outcome.ts';
import { PictureGoneError } from '../../src/delivery/shown-pictures.ts';
import type { JobPicture } from '../../src/jobs/delivery-port.ts';
import type { Job } from '../../src/jobs/job.ts';
import { rowsOf } from '../../src/messages/buttons.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import type { Message } from '../../src/messages/message.ts';
import { deleteButton } from './delete.ts';
import { shownJob } from './shown-job.ts';
import { checkPlace, checkSubmission, readTerms } from './terms.ts';

/** Shows one of several pictures in a message of its own: to everybody, or where they are private to their member only. */
export async function showOnly(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, permissions, reply, texts, context } = invocation;
  const [jobId = '', nth = ''] = options;
  const [job, terms] = await Promise.all([shownJob(jobId, invocation), readTerms(invocation)]);
  const { private: hidden } = job;
  if (!hidden) {
    checkPlace(terms, invocation);
    checkSubmission(job.submission, terms, invocation);
    const missing = permissions.botLacks();
    if (missing.length > 0) throw new UserError(texts.refusal.missingPermissions(missing));
  }
  const pictures = context.shownPictures.of(job, invocation.message?.files ?? []);
  const number = pictures.findIndex(({ task }) => `${task}` === nth);
  const picture = pictures[number];
  if (!picture) throw new UserError(texts.actions.gone);
  await reply.acknowledge();
  const locale = (hidden ? undefined : terms.settings.locale) ?? caller.member.locale;
  const show = () =>
    context.shownPictures.use(picture, async (read) => {
      await reply.followUp(messageOf(job, read, { number: number + 1, locale, invocation }), {
        ephemeral: hidden,
      });
    });
  await context.presses.once(`${caller.member.id}:only:${jobId}:${nth}`, show).catch((error: unknown) => {
    throw error instanceof PictureGoneError ? new UserError(texts.actions.fileGone) : error;
  });
}

function messageOf(
  job: Job,
  picture: JobPicture,
  {
    number,
    locale,
    invocation: { caller, message, context },
  }: { number: number; locale: string; invocation: Invocation<readonly string[]> },
): Message {
  const texts = textsFor(locale);
  const { nextSteps } = context;
  const link =
    message && !message.ephemeral
      ? messageLink(message.channelId, message.id, caller.guildId ?? '@me')
      : undefined;
  const content = [userMention(caller.member.id), texts.actions.only(number, link)].join(' · ');
  return {
    content,
    files: [fileOf(job, picture, [picture], texts)],
    rows: rowsOf(
      nextSteps.vary?.(job.id, picture.task, texts.actions.vary),
      nextSteps.showDetails?.(job.id, texts),
      deleteButton(caller.member.id, texts),
    ),
  };
}
