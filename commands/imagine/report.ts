import { DAY_MS } from '@darkroom/time';
import { type APIModalInteractionResponseCallbackData, messageLink, userMention } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { checkRight } from '../../src/bot/guild-rights.ts';
import { recordAction } from '../../src/bot/record-action.ts';
import { originOf } from '../../src/delivery/pictures/lineage.ts';
import type { MessageLocation } from '../../src/jobs/job.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';
import type { Message } from '../../src/messages/message.ts';
import type { ReportAction } from '../../src/messages/next-steps.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { OpenReport } from '../../src/moderation/open-reports.ts';
import { REASON_CHARACTERS, renderReport } from '../../src/moderation/render-report.ts';
import type { ReportedPicture } from '../../src/moderation/reported-picture.ts';
import type { Invocation } from './invocation.ts';
import { knownHere, reportedHere } from './reported-picture.ts';

const FIELD = 'reason';

/** It names the message that everybody sees, by which the picture is found once its member has erased the job. */
export const reportButton = (jobId: string, messageId: string | undefined, { report }: Texts) =>
  button.secondary(report.report, customId('imagine', 'report', jobId, messageId));

export async function openReportForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, reply, texts } = invocation;
  const [jobId = '', messageId] = options;
  const known = await knownHere(invocation, jobId);
  // A form can only be a first answer: Discord is asked for the message once it is sent.
  if (!known && messageId === undefined) throw new UserError(texts.report.gone);
  await reply.showModal(reportForm(jobId, messageId, texts));
}

export async function submitReport(invocation: Invocation<FormOptions>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [jobId = '', messageId] = options.args;
  const reason = (options.fields[FIELD] ?? '').trim();
  if (reason === '') throw new UserError(texts.report.noReason);
  await reply.promise();
  const found = await reportedHere(invocation, jobId, messageId);
  if (!found) throw new UserError(texts.report.gone);
  const { job, picture: reported } = found;
  const { reportChannelId: channelId, locale } = await context.guilds.guildSettings.of(reported.guildId);
  const origin = job && (await originOf(job, context.pictures.tracker.find));
  const picture = { ...reported, broughtBy: origin?.member.id };
  const complaint = { reporterId: caller.member.id, reason };
  const result = await context.moderation.reports.file({
    picture,
    complaint,
    channelId,
    copy: async () => origin?.input && context.pictures.copyBrought(origin.input),
    render: (pictures, brought) =>
      renderReport({ ...picture, complaints: [complaint] }, job, {
        pictures,
        brought,
        texts: textsFor(locale ?? 'en'),
        nextSteps: context.nextSteps,
      }),
  });
  if (result === 'filed') {
    const { guildId, memberId } = picture;
    await recordAction(invocation, guildId, {
      event: 'picture-reported',
      memberId,
      jobId,
      sha256: origin?.input?.sha256,
    });
  }
  const isLost = result === 'full' || result === 'refused';
  const typed = isLost ? [`> ${foreignText(reason, REASON_CHARACTERS)}`] : [];
  await reply.editReply({ content: [texts.report[result], ...typed].join('\n') });
}

/** `shown`: how many complaints stand above it. */
export const resolveButton = (
  action: ReportAction,
  jobId: string,
  shown: number | string | undefined,
  { report }: Texts,
) =>
  button[action === 'dismiss' ? 'secondary' : 'danger'](
    report[action],
    customId('imagine', 'resolve', action, jobId, shown),
  );

/** What a moderator does with a report, by the button that they press under it. */
export async function resolveReport(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, message, reply, texts, context } = invocation;
  const [action = '', jobId = '', shown] = options;
  checkRight(invocation, action === 'block' ? 'ModerateMembers' : 'ManageMessages');
  const reported = await knownHere(invocation, jobId);
  if (!reported) throw new UserError(texts.report.forgotten);
  // Whatever goes wrong is said to whoever has pressed, and leaves the report as it is.
  await reply.acknowledge();
  // Of two moderators who press at once, it says who was first.
  await context.pictures.presses.once(`resolve:${message?.id}:${options.join(':')}`, () =>
    context.moderation.reports.decide(jobId, () => settle(invocation, reported.picture, { action, shown })),
  );
}

async function settle(
  invocation: Invocation<readonly string[]>,
  picture: ReportedPicture,
  { action, shown }: { action: string; shown: string | undefined },
): Promise<void> {
  const { locale } = await invocation.context.guilds.guildSettings.of(picture.guildId);
  const decide = isAction(action) ? DECISIONS[action] : dismiss;
  await decide(invocation, { picture, shown, serverTexts: textsFor(locale ?? 'en') });
}

interface Decided {
  picture: ReportedPicture;
  /** How many complaints the button that was pressed stands below. */
  shown: string | undefined;
  /** Of the server: what is put in place of the report is read by others. */
  serverTexts: Texts;
}

/** Does what a moderator has decided, and says so in place of the report. */
type Decide = (invocation: Invocation<readonly string[]>, decided: Decided) => Promise<void>;

const deletePicture: Decide = async (invocation, { picture, serverTexts }) => {
  const { caller, texts, context } = invocation;
  const { guildId, jobId, memberId, posted } = picture;
  const { removedPictures } = context.pictures;
  const deletion = () => removedPictures.deleteByBot(posted);
  const result = await removedPictures.remove(jobId, posted.messageId, deletion);
  if (result === 'waiting') throw new UserError(texts.actions.notFinished);
  let wasThere = result === 'removed';
  // With what was posted alone meanwhile. What follows sees that the picture was deleted.
  const { alone = [] } = (await knownHere(invocation, jobId))?.picture ?? picture;
  for (const copy of alone) {
    if (await removedPictures.deleteByBot(copy)) wasThere = true;
  }
  if (wasThere) await recordAction(invocation, guildId, { event: 'picture-deleted', memberId, jobId });
  const member = userMention(memberId);
  const { deleted, deletedBefore } = serverTexts.report;
  const content = wasThere ? deleted(userMention(caller.member.id), member) : deletedBefore(member);
  await context.moderation.reports.close(guildId, jobId);
  await conclude(invocation, content);
};

const blockMember: Decide = async (invocation, { picture, shown, serverTexts }) => {
  const { caller, reply, context } = invocation;
  const { guildId, jobId, memberId } = picture;
  const { reports } = context.moderation;
  const { report } = serverTexts;
  const actorId = caller.member.id;
  const member = userMention(memberId);
  const options = { by: actorId, forMs: DAY_MS };
  const until = await context.guilds.blockedMembers.blockAtLeast(guildId, memberId, options);
  if (until !== undefined)
    await recordAction(invocation, guildId, { event: 'member-blocked', memberId, until });
  const blocked =
    until === undefined
      ? report.blockedBefore(member)
      : report.blocked(userMention(actorId), member, relativeTime(until));
  const jobs = await context.pictures.tracker.cancelAll(guildId, actorId, memberId);
  const stopped = jobs > 0 ? `\n${serverTexts.moderate.stopped(jobs)}` : '';
  const there = await whereItStands(invocation, picture);
  if (!there) {
    await reports.close(guildId, jobId);
    return conclude(invocation, `${blocked}${stopped}`);
  }
  // An open report stays so until somebody has decided on the picture too.
  const isOpen = (await reports.reported(guildId, jobId)) !== undefined;
  const stillThere = report.stillThere(messageLink(there.channelId, there.messageId, guildId));
  await reply.editWords({
    content: `${blocked} ${stillThere}${stopped}`,
    rows: rowsOf(
      resolveButton('delete', jobId, shown, serverTexts),
      isOpen ? resolveButton('dismiss', jobId, shown, serverTexts) : undefined,
      nextReport(invocation),
    ),
  });
};

const dismiss: Decide = async (invocation, { picture, shown, serverTexts }) => {
  const { caller, message, reply, texts, context } = invocation;
  const { guildId, jobId, memberId, posted } = picture;
  const { reports } = context.moderation;
  const { report } = serverTexts;
  const link = messageLink(posted.channelId, posted.messageId, guildId);
  if (!(await reports.reported(guildId, jobId))) {
    if (await isSettled(invocation)) throw new UserError(texts.report.decidedBefore(link));
    return conclude(invocation, report.decidedBefore(link));
  }
  const unread = await reports.close(guildId, jobId, shown === undefined ? undefined : Number(shown));
  if (unread)
    return reply.editReply(await showAnew(invocation, unread, message?.ephemeral ? texts : serverTexts));
  await recordAction(invocation, guildId, { event: 'report-dismissed', memberId, jobId });
  await conclude(invocation, report.dismissed(userMention(caller.member.id), link));
};

const DECISIONS: Record<ReportAction, Decide> = { delete: deletePicture, block: blockMember, dismiss };

const isAction = (name: string): name is ReportAction => Object.hasOwn(DECISIONS, name);

const conclude = (invocation: Invocation, content: string): Promise<void> =>
  invocation.reply.editReply({ content, rows: rowsOf(nextReport(invocation)) });

/** For who goes through what waits: where others read the report, it is theirs alone. */
const nextReport = ({ message, texts, context }: Invocation) =>
  message?.ephemeral ? context.nextSteps.showReports?.(texts) : undefined;

/** A message that shows it; undefined where none does any more. Where Discord does not say, it is taken to. */
async function whereItStands(
  { context }: Invocation,
  { posted, alone = [] }: ReportedPicture,
): Promise<MessageLocation | undefined> {
  for (const location of [posted, ...alone]) {
    if (await context.pictures.removedPictures.read(location).catch(() => location)) return location;
  }
  return undefined;
}

/** Whether the report that everybody in the channel sees says by now what another moderator has decided. */
async function isSettled({ message, context }: Invocation): Promise<boolean> {
  if (!message || message.ephemeral) return false;
  const { id: messageId, channelId } = message;
  const stands = await context.pictures.removedPictures.read({ channelId, messageId });
  return !stands?.customIds.some((id) => id.startsWith(customId('imagine', 'resolve')));
}

/** A report of which others complain since it was shown. */
async function showAnew(
  { context: { moderation, nextSteps, pictures } }: Invocation,
  open: OpenReport,
  texts: Texts,
): Promise<Message> {
  const [job, shown] = await Promise.all([
    pictures.tracker.find(open.jobId),
    moderation.reports.shownWith(open),
  ]);
  const message = renderReport(open, job, { ...shown, texts, nextSteps });
  return { ...message, content: [texts.report.reportedSince, message.content].join('\n') };
}

const reportForm = (
  jobId: string,
  messageId: string | undefined,
  { report }: Texts,
): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('imagine', 'report', jobId, messageId),
  title: report.form.title,
  components: [
    textField({
      name: FIELD,
      label: report.form.label,
      description: report.form.description,
      required: true,
      long: true,
      characters: REASON_CHARACTERS,
    }),
  ],
});
