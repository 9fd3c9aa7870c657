import {
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  PermissionFlagsBits,
  TextInputStyle,
  TimestampStyles,
  time,
  userMention,
} from 'discord.js';
import type { FormOptions, Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import { headline } from '../../src/delivery/prompt-text.ts';
import { linkToMessage } from '../../src/delivery/render-redirect.ts';
import type { Job, MessageLocation } from '../../src/jobs/job.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import type { Message } from '../../src/messages/message.ts';

const FIELD = 'reason';
const REASON_CHARACTERS = 500;
const DAY_MS = 24 * 3600_000;

/** A picture that everybody in a server sees, and its server. */
type PublicPicture = Job & { guildId: string; posted: MessageLocation };

export const reportButton = (jobId: string, { report }: Texts) =>
  button(ButtonStyle.Secondary, report.report, customId('imagine', 'report', jobId));

export async function openReportForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const [jobId = ''] = invocation.options;
  await reportable(jobId, invocation);
  await invocation.reply.showModal(reportForm(jobId, invocation.texts));
}

export async function submitReport(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [jobId = ''] = options.args;
  const reason = (options.fields[FIELD] ?? '').trim();
  if (reason === '') throw new UserError(texts.report.noReason);
  const { job, channelId, locale } = await reportable(jobId, invocation);
  await reply.deferReply({ ephemeral: true });
  const reporterId = caller.member.id;
  const result = await context.reports.file({
    job,
    reporterId,
    channelId,
    render: (pictures) => reportMessage(job, { reporterId, reason, pictures }, textsFor(locale ?? 'en')),
  });
  if (result === 'filed') {
    const { guildId, member } = job;
    await context.auditLog.record({
      event: 'picture-reported',
      guildId,
      actorId: reporterId,
      memberId: member.id,
      jobId,
    });
  }
  await reply.editReply({ content: texts.report[result] });
}

/** What a moderator does with a report, by the button that they press under it. */
export async function resolveReport(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, permissions, reply, texts, context } = invocation;
  const [action = '', jobId = ''] = options;
  const right = action === 'block' ? 'ModerateMembers' : 'ManageMessages';
  if (!permissions.callerHas(PermissionFlagsBits[right])) {
    throw new UserError(
      action === 'block' ? texts.refusal.needsModerateMembers : texts.refusal.needsManageMessages,
    );
  }
  const job = await pictureHere(jobId, invocation);
  const { guildId } = job;
  const actorId = caller.member.id;
  const about = { guildId, actorId, memberId: job.member.id };
  await reply.deferUpdate();
  const { report } = textsFor((await context.guildSettings.of(guildId)).locale ?? 'en');
  const actor = userMention(actorId);
  if (action === 'delete') {
    await context.reports.deletePicture(job.posted);
    await context.auditLog.record({ event: 'picture-deleted', ...about, jobId });
    await reply.editReply({ content: report.deleted(actor, userMention(job.member.id)) });
  } else if (action === 'block') {
    const options = { by: actorId, forMs: DAY_MS };
    const { until = 0 } = await context.blockedMembers.block(guildId, job.member.id, options);
    await context.auditLog.record({ event: 'member-blocked', ...about, until });
    const ends = time(new Date(until), TimestampStyles.RelativeTime);
    await reply.editReply({ content: report.blocked(actor, userMention(job.member.id), ends) });
  } else {
    await context.auditLog.record({ event: 'report-dismissed', ...about, jobId });
    await reply.editReply({ content: report.dismissed(actor, linkToMessage(job, job.posted)) });
  }
}

/** A picture that may be reported here, and where to. Throws `UserError` otherwise. */
async function reportable(jobId: string, invocation: Invocation<unknown>) {
  const { caller, texts, context } = invocation;
  const [job, { reportChannelId, locale }] = await Promise.all([
    pictureHere(jobId, invocation),
    context.guildSettings.of(caller.guildId),
  ]);
  if (reportChannelId === undefined) throw new UserError(texts.report.off);
  return { job, channelId: reportChannelId, locale };
}

/** A public picture of the server in which the button was pressed: ids of other servers lead nowhere. */
async function pictureHere(
  jobId: string,
  { caller, texts, context }: Pick<Invocation, 'caller' | 'texts' | 'context'>,
): Promise<PublicPicture> {
  if (caller.guildId === null) throw new UserError(texts.refusal.serverOnly);
  const job = await context.tracker.find(jobId);
  // Whoever is quick presses before it is written where the picture stands; then it is the reply.
  const messageId = job?.reply.messageId;
  const posted = job?.posted ?? (messageId && { channelId: job.channelId, messageId });
  if (!job || job.private || !posted || job.guildId !== caller.guildId) {
    throw new UserError(texts.report.gone);
  }
  return { ...job, guildId: caller.guildId, posted };
}

const reportForm = (jobId: string, { report }: Texts): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('imagine', 'report', jobId),
  title: report.form.title,
  components: [
    {
      type: ComponentType.Label,
      label: report.form.label,
      description: report.form.description,
      component: {
        type: ComponentType.TextInput,
        custom_id: FIELD,
        style: TextInputStyle.Paragraph,
        required: true,
        max_length: REASON_CHARACTERS,
      },
    },
  ],
});

function reportMessage(
  job: PublicPicture,
  { reporterId, reason, pictures }: { reporterId: string; reason: string; pictures: readonly string[] },
  texts: Texts,
): Message {
  const { report } = texts;
  const asked = time(new Date(job.createdAt));
  return {
    content: [
      report.heading(userMention(reporterId), userMention(job.member.id), linkToMessage(job, job.posted)),
      report.reason(foreignText(reason, REASON_CHARACTERS)),
      report.prompt(headline(job, texts), asked),
    ].join('\n'),
    embeds: pictures.map((url) => ({ image: { url } })),
    rows: rowsOf(
      button(ButtonStyle.Danger, report.delete, customId('imagine', 'resolve', 'delete', job.id)),
      button(ButtonStyle.Danger, report.block, customId('imagine', 'resolve', 'block', job.id)),
      button(ButtonStyle.Secondary, report.dismiss, customId('imagine', 'resolve', 'dismiss', job.id)),
    ),
  };
}
