import { ApplicationCommandType } from 'discord.js';
import { type FormOptions, holdsSecret, type MessageCommand } from '../../src/bot/command.ts';
import type { SourceMessage } from '../../src/bot/source-message.ts';
import { isOver } from '../../src/jobs/job.ts';
import { customId } from '../../src/messages/buttons.ts';
import { en } from '../../src/messages/locale/en.ts';
import { namesOf } from '../../src/messages/locale/texts.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { deleteQuestion } from './delete.ts';
import { detailsOf } from './details.ts';
import { openForm } from './edit.ts';
import { readEditForm, showEditForm } from './edit-form.ts';
import type { Feature, Invocation } from './invocation.ts';
import { request } from './request.ts';
import { jobIdIn, ownerIdIn, shownJob } from './shown-job.ts';

export const inMenu = (name: keyof typeof en.actions.menu): MessageCommand['data'] => ({
  type: ApplicationCommandType.Message,
  name: en.actions.menu[name],
  name_localizations: namesOf(({ actions }) => actions.menu[name]),
});

/** Opens the form with what a picture of ours was asked for, or with the words of any other message. */
export const imagineMessage: MessageCommand<Feature> = {
  data: inMenu('imagine'),
  async run(invocation) {
    const { options, texts } = invocation;
    const jobId = jobIdOfMessage(invocation);
    if (jobId !== undefined) return openForm(invocation, jobId);
    const prompt = options.words.trim();
    if (prompt === '') throw new UserError(texts.actions.noWords);
    if (holdsSecret(prompt)) throw new UserError(texts.refusal.secretInText);
    const { imagine: title } = texts.actions.menu;
    await showEditForm(invocation, customId('imagine', 'words'), { prompt }, { title });
  },
};

/** What became of the words of a message in the form. */
export const submitWords = (invocation: Invocation<FormOptions>): Promise<void> =>
  request(invocation, readEditForm(invocation));

export const detailsOfMessage: MessageCommand<Feature> = {
  data: inMenu('details'),
  run: (invocation) => {
    const finding = shownJob(invocation, requireJobId(invocation));
    return invocation.reply.answer(finding.then((job) => detailsOf(invocation, job)));
  },
};

export const deleteOfMessage: MessageCommand<Feature> = {
  data: inMenu('delete'),
  async run(invocation) {
    const { options, reply } = invocation;
    const jobId = requireJobId(invocation);
    const memberId = await ownerIdOf(invocation, jobId);
    await reply.replyEphemeral(deleteQuestion(invocation, { memberId, messageId: options.id, jobId }));
  },
};

/** Of the job whose picture a message shows. Throws `UserError` where it is none of ours. */
function requireJobId(invocation: Invocation<SourceMessage>): string {
  const jobId = jobIdOfMessage(invocation);
  if (jobId === undefined) throw new UserError(invocation.texts.actions.noPicture);
  return jobId;
}

export const jobIdOfMessage = ({ options, caller }: Invocation<SourceMessage>): string | undefined =>
  options.authorId === caller.applicationId ? jobIdIn(options.customIds) : undefined;

/** Who may delete a message beside moderators: it is said by its buttons, or else by the job. */
async function ownerIdOf(invocation: Invocation<SourceMessage>, jobId: string): Promise<string> {
  const { options, texts, context } = invocation;
  const job = await context.pictures.tracker.find(jobId);
  if (job && !isOver(job)) throw new UserError(texts.actions.notFinished);
  return ownerIdIn(options.customIds) ?? (await shownJob(invocation, jobId)).member.id;
}
