import { ButtonStyle, messageLink, PermissionFlagsBits } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';

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

/** The button under a picture, or behind its More, which then names the message. */
export async function askToDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, message, reply, context } = invocation;
  const [memberId = '', named] = options;
  checkMayDelete(memberId, invocation);
  const messageId = named ?? message?.id ?? '';
  const question = questionOf(memberId, messageId, invocation);
  if (named !== undefined) return reply.replyEphemeral(question);
  await reply.acknowledge();
  context.deletions.remember(messageId, reply.deleteMessage);
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

export async function confirmDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [memberId = '', messageId = ''] = options;
  checkMayDelete(memberId, invocation);
  const { channelId, guildId, member } = caller;
  await reply.deferUpdate();
  try {
    const byBot = () => context.reports.deletePicture({ channelId, messageId });
    await (context.deletions.of(messageId)?.().catch(byBot) ?? byBot());
  } catch (error) {
    context.log.info({ err: error, guild: guildId }, 'a picture could not be deleted');
    await reply.editReply({ content: texts.actions.notDeleted });
    return;
  }
  await reply.editReply({ content: texts.actions.deleted });
  if (member.id === memberId) return;
  await context.auditLog.record({ event: 'picture-deleted', guildId, actorId: member.id, memberId });
}

export const keepPicture = ({ reply, texts }: Invocation<readonly string[]>): Promise<void> =>
  reply.update({ content: texts.actions.kept });

function checkMayDelete(memberId: string, place: Place & Pick<Invocation, 'texts'>): void {
  if (!mayDelete(memberId, place)) throw new UserError(place.texts.refusal.notDeletable);
}
