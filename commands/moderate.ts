import { HOUR_MS } from '@darkroom/time';
import { channelMention, PermissionFlagsBits, userMention } from 'discord.js';
import { defineCommandGroup } from '../src/bot/command.ts';
import { option, subcommand, within } from '../src/bot/command-payload.ts';
import { keptGuildWithRight } from '../src/bot/guild-rights.ts';
import type * as bot from '../src/bot/invocation.ts';
import type { PickedUser } from '../src/bot/options.ts';
import { recordAction } from '../src/bot/record-action.ts';
import { button, customId } from '../src/messages/buttons.ts';
import type { Message } from '../src/messages/message.ts';
import { relativeTime } from '../src/messages/relative-time.ts';
import { UserError } from '../src/messages/user-error.ts';
import { renderReport } from '../src/moderation/render-report.ts';

const USES = ['guilds', 'moderation', 'pictures'] as const;
type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

/** For as long as a year. */
const HOURS = { min: 1, max: 8_760 };

export const moderate = defineCommandGroup({
  uses: USES,
  data: {
    name: 'moderate',
    description: 'Look at reports, block members, cancel pictures (Timeout Members)',
    default_member_permissions: `${PermissionFlagsBits.ModerateMembers}`,
    options: [
      subcommand('block', 'Let a member make no more pictures in this server', [
        option.user('member', 'Whom', { required: true }),
        option.integer('hours', 'For how many hours. Default: until unblocked', within(HOURS)),
      ]),
      subcommand('unblock', 'Let a member make pictures again', [
        option.user('member', 'Whom', { required: true }),
      ]),
      subcommand('stop', 'Cancel every picture that is under way in this server'),
      subcommand('reports', 'Look at the pictures that members have reported'),
    ],
  },

  run: {
    block: (invocation) => invocation.reply.answer(block(invocation)),
    unblock: (invocation) => invocation.reply.answer(unblock(invocation)),
    stop: (invocation) => invocation.reply.answer(stop(invocation)),
    reports: (invocation) => invocation.reply.answer(nextReport(invocation)),
  },

  buttons: { reports: (invocation) => invocation.reply.replace(nextReport(invocation)) },

  nextSteps: {
    showReports: ({ moderate }) => button.secondary(moderate.nextReport, customId('moderate', 'reports')),
  },
});

/** Rejects with `UserError` where the caller may not keep order here. */
const moderatedGuild = (invocation: Invocation): Promise<string> =>
  keptGuildWithRight(invocation, 'ModerateMembers');

async function block(
  invocation: Invocation<{ member: PickedUser; hours?: number | undefined }>,
): Promise<Message> {
  const { options, caller, texts, context } = invocation;
  const guildId = await moderatedGuild(invocation);
  const { hours } = options;
  const memberId = options.member.id;
  if (hours !== undefined && (!Number.isInteger(hours) || hours < HOURS.min || hours > HOURS.max)) {
    throw new UserError(texts.refusal.integerRange('hours', HOURS.min, HOURS.max));
  }
  const by = caller.member.id;
  const forMs = hours === undefined ? undefined : hours * HOUR_MS;
  const { until } = await context.guilds.blockedMembers.block(guildId, memberId, { by, forMs });
  await recordAction(invocation, guildId, { event: 'member-blocked', memberId, until });
  const jobs = await context.pictures.tracker.cancelAll(guildId, by, memberId);
  const moment = until === undefined ? undefined : relativeTime(until);
  const blocked = texts.moderate.blocked(userMention(memberId), moment);
  return { content: jobs > 0 ? `${blocked} ${texts.moderate.stopped(jobs)}` : blocked };
}

async function unblock(invocation: Invocation<{ member: PickedUser }>): Promise<Message> {
  const { options, texts, context } = invocation;
  const guildId = await moderatedGuild(invocation);
  const memberId = options.member.id;
  const mention = userMention(memberId);
  if (!(await context.guilds.blockedMembers.unblock(guildId, memberId))) {
    return { content: texts.moderate.notBlocked(mention) };
  }
  await recordAction(invocation, guildId, { event: 'member-unblocked', memberId });
  return { content: texts.moderate.unblocked(mention) };
}

/** The report that waits longest, with what can be done about it. */
async function nextReport(invocation: Invocation): Promise<Message> {
  const { texts, context } = invocation;
  const guildId = await moderatedGuild(invocation);
  const { reports } = context.moderation;
  const [[next], { reportChannelId }] = await Promise.all([
    reports.open(guildId),
    context.guilds.guildSettings.of(guildId),
  ]);
  if (!next) {
    const { noReports } = texts.moderate;
    return { content: noReports(reportChannelId && channelMention(reportChannelId)) };
  }
  const [job, shown] = await Promise.all([
    context.pictures.tracker.find(next.jobId),
    reports.shownWith(next),
  ]);
  return renderReport(next, job, { ...shown, texts, nextSteps: context.nextSteps });
}

async function stop(invocation: Invocation): Promise<Message> {
  const { caller, texts, context } = invocation;
  const guildId = await moderatedGuild(invocation);
  const jobs = await context.pictures.tracker.cancelAll(guildId, caller.member.id);
  if (jobs > 0) {
    await recordAction(invocation, guildId, { event: 'all-stopped', jobs });
  }
  return { content: texts.moderate.stopped(jobs) };
}
