import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { canBePublished } from '../../src/delivery/outcome-buttons.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type Button, button, customId, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { deleteButton, mayDelete } from './delete.ts';
import { detailsButton } from './details.ts';
import { reportButton } from './report.ts';
import { findShownJob } from './shown-job.ts';

/** It names the member, so that they can delete what is no longer known here. */
export const moreButton = ({ id, member }: Pick<Job, 'id' | 'member'>, { actions }: Texts) =>
  button(ButtonStyle.Secondary, actions.more, customId('imagine', 'more', id, member.id));

/** What did not fit under a picture, for who may do it. */
export async function showMore(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, message, reply, texts, context } = invocation;
  const [jobId = '', memberId = ''] = options;
  const [shown, { reportChannelId }] = await Promise.all([
    findShownJob(jobId, invocation),
    context.guildSettings.of(caller.guildId),
  ]);
  const offered: (Button | undefined)[] = [
    shown && canBePublished(shown) ? detailsButton(shown.id, texts) : undefined,
    message && mayDelete(memberId, invocation) ? deleteButton(memberId, texts, message.id) : undefined,
    shown && !shown.private && shown.guildId !== null && reportChannelId !== undefined
      ? reportButton(shown.id, texts)
      : undefined,
  ];
  const rows = rowsOf(...offered);
  const { moreOfIt, noMore } = texts.actions;
  await reply.acknowledge();
  if (message) context.deletions.remember(message.id, reply.deleteMessage);
  await reply.followUp({ content: rows.length > 0 ? moreOfIt : noMore, rows }, { ephemeral: true });
}
