import { userMention } from 'discord.js';
import { linkToMessage } from '../../src/delivery/job-links.ts';
import { fileOf } from '../../src/delivery/render-outcome.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';
import { moreButton } from './more.ts';
import { checkPublic } from './publish.ts';
import { readRules } from './rules.ts';
import { checkNotRemoved, noteAlone, publicLocation, shownJob } from './shown-job.ts';
import { varyButton } from './vary.ts';

export const postAloneButton = (jobId: string, task: number, { actions }: Texts) =>
  button.secondary(actions.postAlone, customId('imagine', 'only', jobId, task));

/** Posts one of several pictures in a message of its own: to everybody, or private ones to their member only. */
export async function postAlone(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [jobId = '', writtenTask = ''] = options;
  const task = Number(writtenTask);
  const reading = readRules(invocation);
  const job = await shownJob(invocation, jobId);
  await checkNotRemoved(invocation, job, { task });
  const rules = await reading;
  const { private: hidden } = job;
  const tasks = job.tasks.slice(task, task + 1);
  if (!hidden) await checkPublic(invocation, { ...job, tasks }, rules);
  const pictures = context.pictures.shownPictures.of(job, invocation.message?.files ?? []);
  const place = pictures.findIndex((shown) => `${shown.task}` === writtenTask);
  const picture = pictures[place];
  if (!picture) throw new UserError(texts.actions.gone);
  await reply.acknowledge();
  const theirs = textsFor((hidden ? undefined : rules.settings.locale) ?? caller.member.locale);
  const whole = publicLocation(invocation, job);
  const from = theirs.actions.nth(place + 1, whole && linkToMessage(job, whole));
  const show = () =>
    context.pictures.shownPictures.use(picture, async (read) => {
      const message = {
        content: [userMention(caller.member.id), from].join(' · '),
        files: [fileOf({ ...job, flagged: rules.flagged }, read, [read], theirs)],
        rows: rowsOf(
          varyButton(job.id, picture.task, undefined, theirs),
          moreButton({ id: job.id, member: caller.member, makerId: job.member.id }, theirs),
        ),
      };
      const posted = await reply.followUp(message, { ephemeral: hidden });
      if (hidden) return;
      await noteAlone(invocation, job, picture.task, posted);
      const now = await context.pictures.tracker.find(job.id);
      if (!now?.removed || job.removed) return;
      await reply.deleteMessage(posted.messageId);
      throw new UserError(texts.actions.removed);
    });
  await context.pictures.presses.once(`${caller.member.id}:only:${jobId}:${writtenTask}`, show);
}
