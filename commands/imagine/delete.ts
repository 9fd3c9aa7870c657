import { messageLink } from 'discord.js';
import { recordAction } from '../../src/bot/record-action.ts';
import type { MessageLocation } from '../../src/jobs/job.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';
import { ownerIdIn, publicLocation } from './shown-job.ts';

/** Of the picture of a job, which stands in this message. */
export const deleteButton = (memberId: string, messageId: string, jobId: string, { actions }: Texts) =>
  button.secondary(actions.delete, customId('imagine', 'delete', memberId, messageId, jobId));

export const mayDelete = ({ caller, permissions }: Invocation, memberId: string): boolean =>
  caller.member.id === memberId || permissions.callerHas('ManageMessages');

/** The token of a press by somebody who may delete the message that it was made under. */
export const keepDeletion = ({ caller, reply, context }: Invocation, messageId: string): void =>
  context.pictures.deletions.set(`${caller.member.id}:${messageId}`, reply.deleteMessage);

/** The button behind More, which names the message. */
export async function askToDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const [memberId = '', messageId = '', jobId] = invocation.options;
  await invocation.reply.replyEphemeral(deleteQuestion(invocation, { memberId, messageId, jobId }));
}

/**
 * Asks only the caller; the confirmation names the message, so that it can delete no other. Throws `UserError` where
 * they may not.
 */
export function deleteQuestion(
  invocation: Invocation,
  { memberId, messageId, jobId }: { memberId: string; messageId: string; jobId: string | undefined },
): Message {
  checkMayDelete(invocation, memberId);
  const { caller, texts } = invocation;
  const { actions } = texts;
  const link = messageLink(caller.channelId, messageId, caller.guildId ?? '@me');
  return {
    content: actions.deleteQuestion(link),
    rows: rowsOf(
      button.danger(actions.delete, customId('imagine', 'remove', memberId, messageId, jobId)),
      button.secondary(actions.keep, customId('imagine', 'keep')),
    ),
  };
}

/** Whose picture it is the message says, not the button that was pressed: that may be forged. */
export async function confirmDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const { removedPictures } = context.pictures;
  const [named = '', messageId = '', jobId] = options;
  checkMayDelete(invocation, named);
  const { channelId, guildId, member, applicationId } = caller;
  await reply.deferUpdate();
  let memberId: string | undefined;
  try {
    const posted = { channelId, messageId };
    const deletion = context.pictures.deletions.get(`${member.id}:${messageId}`);
    // Whose token there is may delete it; the bot itself may delete anything.
    const message = deletion ? undefined : await removedPictures.read(posted);
    const isOurs = message?.author.id === applicationId;
    memberId = deletion ? named : isOurs ? ownerIdIn(message.customIds) : undefined;
    const isThere = deletion !== undefined || message !== undefined;
    if (isThere && (memberId === undefined || !mayDelete(invocation, memberId)))
      return await reply.editReply({ content: texts.refusal.notDeletable });
    const byBot = () => removedPictures.deleteByBot(posted);
    const remove = () => (deletion ? deletion().then(() => true, byBot) : byBot());
    const result = isThere ? await removedPictures.remove(jobId, messageId, remove) : 'absent';
    if (result === 'waiting' || (result === 'absent' && !(await wasPublic(context, jobId, posted))))
      return await reply.editReply({ content: texts.actions.notDeleted });
    if (result === 'absent') memberId = undefined;
  } catch (error) {
    context.log.info({ err: error, guild: guildId }, 'a picture could not be deleted');
    await reply.editReply({ content: texts.actions.notDeleted });
    return;
  }
  await reply.editReply({ content: texts.actions.deleted });
  if (memberId === undefined || member.id === memberId || !(await caller.botIsMember())) return;
  await recordAction(invocation, guildId, { event: 'picture-deleted', memberId });
}

/**
 * Whether everybody saw this message: the bot's own token finds nothing of what only its reader sees, whether it is
 * there or not.
 */
async function wasPublic(
  { pictures }: Pick<Invocation['context'], 'pictures'>,
  jobId: string | undefined,
  { channelId, messageId }: MessageLocation,
): Promise<boolean> {
  const job = jobId === undefined ? undefined : await pictures.tracker.find(jobId);
  const shown = job && publicLocation({}, job);
  return shown?.messageId === messageId && shown.channelId === channelId;
}

function checkMayDelete(invocation: Invocation, memberId: string): void {
  if (!mayDelete(invocation, memberId)) throw new UserError(invocation.texts.refusal.notDeletable);
}
