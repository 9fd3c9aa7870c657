import { ApplicationCommandType } from 'discord.js';
import { EVERYWHERE, type FormOptions, type MessageCommand } from '../../src/bot/command.ts';
import { holdsKey } from '../../src/bot/holds-key.ts';
import type { SourceMessage } from '../../src/bot/source-message.ts';
import { customId } from '../../src/messages/buttons.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { questionOf } from './delete.ts';
import { answerDetails } from './details.ts';
import { openForm } from './edit.ts';
import { readEditForm, showEditForm } from './edit-form.ts';
import type { Feature, Invocation } from './invocation.ts';
import { request } from './request.ts';
import { jobOf, shownJob } from './shown-job.ts';

export const inMenu = (name: keyof typeof en.actions.menu): MessageCommand['data'] => ({
  type: ApplicationCommandType.Message,
  name: en.actions.menu[name],
  name_localizations: { de: de.actions.menu[name] },
  ...EVERYWHERE,
});

/** Opens the form with what a picture of ours was asked for, or with the words of any other message. */
export const imagineMessage: MessageCommand<Feature> = {
  data: inMenu('imagine'),
  async run(invocation) {
    const { options, texts } = invocation;
    const jobId = jobIn(invocation);
    if (jobId !== undefined) return openForm(jobId, invocation);
    const prompt = options.words.trim();
    if (prompt === '') throw new UserError(texts.actions.noWords);
    if (holdsKey(prompt)) throw new UserError(texts.refusal.keyInText);
    await showEditForm(customId('imagine', 'words'), { prompt }, invocation);
  },
};

/** What became of the words of a message in the form. */
export const submitWords = (invocation: Invocation<FormOptions>): Promise<void> =>
  request(invocation, readEditForm(invocation.options));

export const detailsOfMessage: MessageCommand<Feature> = {
  data: inMenu('details'),
  run: (invocation) => answerDetails(pictureIn(invocation), invocation),
};

export const deleteOfMessage: MessageCommand<Feature> = {
  data: inMenu('delete'),
  async run(invocation) {
    const { options, reply } = invocation;
    const memberId = await memberOf(invocation);
    await reply.replyEphemeral(questionOf(memberId, options.id, invocation));
  },
};

/** The job whose picture a message shows. Throws `UserError` where it is none of ours. */
function pictureIn(invocation: Invocation<SourceMessage>): string {
  const job = jobIn(invocation);
  if (job === undefined) throw new UserError(invocation.texts.actions.noPicture);
  return job;
}

export const jobIn = ({ options, caller }: Invocation<SourceMessage>): string | undefined =>
  options.authorId === caller.applicationId ? jobOf(options.customIds) : undefined;

/** Who may delete a message beside moderators: it is said by its buttons, or else by the job. */
async function memberOf(invocation: Invocation<SourceMessage>): Promise<string> {
  const jobId = pictureIn(invocation);
  for (const id of invocation.options.customIds) {
    if (id.startsWith('imagine:cancel:')) throw new UserError(invocation.texts.actions.notFinished);
    const [, member] = /^imagine:(?:delete|more:\d+):(\d{17,20})$/.exec(id) ?? [];
    if (member !== undefined) return member;
  }
  return (await shownJob(jobId, invocation)).member.id;
}
