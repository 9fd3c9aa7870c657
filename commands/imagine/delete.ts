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

/** The button under a picture, or behind its More, which then names the message. */
export async function askToDelete(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, message, reply, context } = invocation;
  const [memberId = '', named] = options;
  checkMayDelete(memberId, invocation);
  const messageId = named ?? message?.id ?? '';
  const question = questionOf(memberId, messageId, invocation);
  if (named !== undefined) return reply.replyEphemeral(question);
  await reply.acknowledge();
  context.pictures.deletions.set(messageId, reply.deleteMessage);
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
  let wasThere: boolean;
  try {
    const byBot = () => context.moderation.reports.deletePicture({ channelId, messageId });
    const byItsToken = async (deletion: () => Promise<unknown>) => deletion().then(() => true, byBot);
    const deletion = context.pictures.deletions.get(messageId);
    wasThere = await (deletion ? byItsToken(deletion) : byBot());
  } catch (error) {
    context.log.info({ err: error, guild: guildId }, 'a picture could not be deleted');
    await reply.editReply({ content: texts.actions.notDeleted });
    return;
  }
  await reply.editReply({ content: texts.actions.deleted });
  // The button may be forged: what was not there was not deleted, and no other server hears of it.
  if (member.id === memberId || !wasThere || !(await caller.botIsMember())) return;
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
