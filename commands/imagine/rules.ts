import { LIMITS } from '@darkroom/image-api';
import { channelMention, roleMention } from 'discord.js';
import { paymentOf } from '../../src/bot/payment.ts';
import { hidingOf, UNREADABLE_SETTINGS } from '../../src/guilds/guild-settings.ts';
import { sizeOfResult } from '../../src/jobs/input.ts';
import type { Job } from '../../src/jobs/job.ts';
import { isSeeded } from '../../src/jobs/task-submission.ts';
import { areaOf, formatSize } from '../../src/limits/size.ts';
import { relativeTime } from '../../src/messages/relative-time.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { hasEffect, USUAL } from '../../src/requests/offers.ts';
import type { Invocation } from './invocation.ts';

/** What holds for a member who asks for pictures in a place. */
export type Rules = Awaited<ReturnType<typeof read>>;

/** Read at once, and while something else is asked: a member waits for the first answer. */
export function readRules(invocation: Invocation): Promise<Rules> {
  const rules = read(invocation);
  // Whoever waits for it hears what it rejects with.
  rules.catch(() => undefined);
  return rules;
}

async function read(invocation: Invocation) {
  const { caller, context } = invocation;
  const [settings, ageRestricted, block, payment, own] = await Promise.all([
    context.guilds.guildSettings.of(caller.guildId),
    caller.isAgeRestricted(),
    context.guilds.blockedMembers.find(caller.guildId, caller.member.id),
    paymentOf(invocation),
    context.requests.memberSettings.of(caller.member.id),
  ]);
  /** `own`: what the member has decided for all of their requests. */
  return { settings, flagged: hidingOf(settings, ageRestricted), ageRestricted, block, ...payment, own };
}

/** Throws `UserError` where the server does not let this member ask here. */
export function checkPlace({ caller, texts: { rules } }: Invocation, { settings, block }: Rules): void {
  if (block) {
    const { until } = block;
    throw ofPlace(rules.blocked(until === undefined ? undefined : relativeTime(until)));
  }
  if (settings === UNREADABLE_SETTINGS) throw ofPlace(rules.unreadable);
  if (settings.paused) throw ofPlace(rules.paused);
  const { channels, roles } = settings;
  const places = [caller.channelId, caller.parentId];
  if (channels.length > 0 && !channels.some((channel) => places.includes(channel))) {
    throw ofPlace(rules.channels(channels.map(channelMention)));
  }
  if (roles.length > 0 && !roles.some((role) => caller.roles.includes(role))) {
    throw ofPlace(rules.roles(roles.map(roleMention)));
  }
}

/**
 * Throws `UserError` where the bot lacks the permissions to post what everybody there reads, or the caller those to
 * write there. `byCommand`: it is asked for by a command, which may be allowed to who may not write.
 */
export function checkPostable({ permissions, texts }: Invocation, { byCommand = false } = {}): void {
  if (!byCommand && !permissions.callerMayWrite()) throw ofPlace(texts.refusal.mayNotWrite);
  const missing = permissions.botLacks();
  if (missing.length > 0) throw ofPlace(texts.refusal.missingPermissions(missing));
}

const ofPlace = (refusal: string) => new UserError(refusal, { isOfPlace: true });

/**
 * Throws `UserError` where the server does not allow the workflow, or it or the operator no pictures so large or so
 * fine.
 */
export function checkAllowed(
  { texts: { rules }, context }: Invocation,
  { submission, input }: Pick<Job, 'submission' | 'input'>,
  { settings }: Rules,
): void {
  const { workflow = 'default', steps = LIMITS.steps.default } = submission;
  // What a picture of one's own comes to may be known only once it was fetched.
  const size = sizeOfResult({ submission, input }) ?? (input ? undefined : USUAL);
  const { workflows } = settings;
  if (workflows.length > 0 && !workflows.includes(workflow))
    throw new UserError(rules.workflow(workflow, workflows));
  const offer = context.offers.of([workflow]);
  const counted = isSeeded(submission) && (offer.length === 0 || hasEffect('steps', offer));
  for (const { largestSize, mostSteps } of [context.requests.limits.bounds, settings]) {
    if (largestSize && size && areaOf(size) > areaOf(largestSize))
      throw new UserError(rules.largestSize(formatSize(size), formatSize(largestSize)));
    if (counted && mostSteps !== undefined && steps > mostSteps)
      throw new UserError(rules.mostSteps(steps, mostSteps));
  }
}
