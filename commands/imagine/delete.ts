import { ButtonStyle, messageLink, PermissionFlagsBits } from 'discord.js';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';

type Place = Pick<Invocation, 'caller' | 'permissions'>;

export const deleteButton = (memberId: string, { actions }: Texts, ...messageId: [id?: string]) =>
  button(
    ButtonStyle.Secondary,
    actions.delete,
    customId('imagine', 'delete', memberId, ...messageId.filter((id) => id !== undefined)),
  );

/** Whether the caller may delete a picture of this member here. */
export const mayDelete = (memberId: string, { caller, permissions }: Place): boolean =>
  caller.member.id === memberId || permissions.callerHas(PermissionFlagsBits.ManageMessages);

/** The token of a press by somebody who may delete the message that it was made under. */
export const keepDeletion = (messageId: string, { caller, reply, context }: Invocation): void =>
  context.pictures.deletions.set(`${caller.member.id}:${messageId}`, reply.deleteMessage);

/** The button under a picture, or behind its More, which then names the message. */
export async function askToDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, message, reply } = invocation;
  const [memberId = '', named] = options;
  checkMayDelete(memberId, invocation);
  const messageId = named ?? message?.id ?? '';
  const question = questionOf(memberId, messageId, invocation);
  if (named !== undefined) return reply.replyEphemeral(question);
  await reply.acknowledge();
  keepDeletion(messageId, invocation);
  await reply.followUp(question, { ephemeral: true });
}

/** Asks only the caller; the confirmation names the message, so that it can delete no other. Throws `UserError` where they may not. */
export function questionOf(
  memberId: string,
  messageId: string,
  invocation: Pick<Invocation, 'caller' | 'permissions' | 'texts'>,
): Message {
  checkMayDelete(memberId, invocation);
  const { caller, texts } = invocation;
  const { actions } = texts;
  const link = messageLink(caller.channelId, messageId, caller.guildId ?? '@me');
  return {
    content: actions.deleteQuestion(link),
    rows: rowsOf(
      button(ButtonStyle.Danger, actions.delete, customId('imagine', 'remove', memberId, messageId)),
      button(ButtonStyle.Secondary, actions.keep, customId('imagine', 'keep')),
    ),
  };
}

/** Whose picture it is the message says, not the button that was pressed: that may be forged. */
export async function confirmDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const { reports } = context.moderation;
  const [named = '', messageId = ''] = options;
  checkMayDelete(named, invocation);
  const { channelId, guildId, member, applicationId } = caller;
  await reply.deferUpdate();
  let memberId: string | undefined;
  try {
    const posted = { channelId, messageId };
    const deletion = context.pictures.deletions.get(`${member.id}:${messageId}`);
    // Whose token there is may delete it; the bot itself may delete anything.
    const picture = deletion ? { memberId: named } : await reports.pictureAt(posted, applicationId);
    memberId = picture?.memberId;
    if (picture && (memberId === undefined || !mayDelete(memberId, invocation)))
      return await reply.editReply({ content: texts.refusal.notDeletable });
    const byBot = () => reports.deletePicture(posted);
    const byItsToken = async () => deletion?.().then(() => true, byBot);
    const wasThere = picture !== undefined && (await (deletion ? byItsToken() : byBot()));
    if (!wasThere) memberId = undefined;
  } catch (error) {
    context.log.info({ err: error, guild: guildId }, 'a picture could not be deleted');
    await reply.editReply({ content: texts.actions.notDeleted });
    return;
  }
  await reply.editReply({ content: texts.actions.deleted });
  if (memberId === undefined || member.id === memberId || !(await caller.botIsMember())) return;
  await context.moderation.auditLog.record({
    event: 'picture-deleted',
    guildId,
    actorId: member.id,
    memberId,
  });
}

export const keepPicture = ({ reply, texts }: Invocation<readonly string[]>): Promise<void> =>
  reply.update({ content: texts.actions.kept });

function checkMayDelete(memberId: string, place: Place & Pick<Invocation, 'texts'>): void {
  if (!mayDelete(memberId, place)) throw new UserError(place.texts.refusal.notDeletable);
}
