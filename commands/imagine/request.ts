import { noKey } from '../../src/bot/key-errors.ts';
import { drawnBefore } from '../../src/delivery/pictures/lineage.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { aloneAt, type Parent } from '../../src/jobs/job.ts';
import type { Caller, JobRequest } from '../../src/jobs/job-request.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { isOfBlocked, withOrigin } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { keepTyped, orKeep } from './keep-typed.ts';
import { askAbout, describeBegun, questionOf, settleQuestion } from './question.ts';
import { resolveRequest } from './resolve-request.ts';
import { checkPlace, checkPostable, type Rules, readRules } from './rules.ts';
import { checkNotRemoved } from './shown-job.ts';

/**
 * What every way to a picture ends in, as the first answer to its interaction: refuses what cannot be made, asks
 * before several pictures are paid for, or begins the job. What is refused or asked about is kept as a draft for a
 * day: the member can change it, or confirm it.
 */
export async function request(
  invocation: Invocation,
  wanted: ImagineOptions,
  options: RequestOptions = {},
): Promise<void> {
  const { parent, lacksPicture } = options;
  // Read while Discord is asked: the first answer has three seconds.
  const rules = readRules(invocation);
  const beginsWithParent = parent?.varied || (wanted.source && !wanted.source.input.own);
  const typed = beginsWithParent ? await checkParent(invocation, wanted, parent) : wanted;
  const begin = async () => askOrStart(invocation, typed, await rules, options);
  await orKeep(invocation, typed, { parent, lacksPicture }, begin);
}

/** As `request`, by a press: pressed twice in a moment, once. `pressed`: what tells it from other presses. */
export async function requestOnce(
  invocation: Invocation,
  pressed: readonly string[],
  wanted: ImagineOptions,
  options: RequestOptions = {},
): Promise<void> {
  const { caller, reply, context } = invocation;
  const make = () => request(invocation, wanted, options);
  if (!(await context.pictures.presses.once([caller.member.id, ...pressed].join(':'), make)))
    await reply.acknowledge();
}

/**
 * Rejects with `UserError` where the picture that it is made from was deleted: a draft may have been kept before
 * that. Resolves with `typed`, with where its picture stands now.
 */
async function checkParent(
  invocation: Invocation,
  typed: ImagineOptions,
  parent: Parent | undefined,
): Promise<ImagineOptions> {
  const { texts, context } = invocation;
  const { tracker, removedPictures } = context.pictures;
  const job = parent && (await tracker.find(parent.jobId));
  if (!job) return typed;
  // Without a task it begins with what the other one began with.
  const before = parent.task === undefined ? await drawnBefore(job, tracker.find) : undefined;
  // Both at once, as each may ask Discord: the first answer has three seconds.
  const [isRemoved] = await Promise.all([
    before && removedPictures.has(before.job, before.task),
    checkNotRemoved(invocation, job, { task: parent.task }),
  ]);
  if (isRemoved) throw new UserError(texts.actions.removed);
  const { job: origin, task } = before ?? { job, task: parent.task };
  const { source } = typed;
  const alone = aloneAt(origin, task);
  if (!source?.input.shown || !alone) return typed;
  // Only the check may have found out that the others are gone.
  if (!(await tracker.find(origin.id))?.removed) return typed;
  const { channelId, messageId } = alone;
  const shown = { ...source.input.shown, channelId, messageId };
  return { ...typed, source: { ...source, input: { ...source.input, shown } } };
}

interface RequestOptions extends Pick<Draft, 'parent' | 'lacksPicture'> {
  /** The id of the draft that goes on, and of its job: so it becomes one job, however often it goes on. */
  draft?: string | undefined;
  /** Likewise, of a draft that its member has confirmed: they are not asked again. */
  confirmed?: string | undefined;
  /** Whether several pictures are asked about first; unless `confirmed`, they are. */
  needsConfirmation?: boolean;
  /** Whether it is as it was asked for before: then nobody is refused for what has no effect any more. */
  repeats?: boolean;
}

async function askOrStart(
  invocation: Invocation,
  wanted: ImagineOptions,
  rules: Rules,
  {
    parent,
    confirmed,
    draft = confirmed,
    needsConfirmation = confirmed === undefined,
    repeats = false,
  }: RequestOptions,
): Promise<void> {
  const effective = repeats && !wanted.graph ? invocation.context.offers.effective(wanted) : wanted;
  const typed = await withPictureOrigin(invocation, effective, parent);
  const accepted = await accept(invocation, typed, rules, parent);
  const isQuestion =
    (needsConfirmation && accepted.resolved.count > 1) || (accepted.exposed && confirmed === undefined);
  if (isQuestion && (await askFirst(invocation, typed, accepted, rules, parent))) return;
  const jobRequest = { ...jobRequestOf(invocation, accepted, rules), id: draft, parent };
  await start(invocation, jobRequest, { fromQuestion: confirmed !== undefined });
}

/** What is typed, with who had brought or posted the picture that it begins with. */
async function withPictureOrigin(
  invocation: Invocation,
  typed: ImagineOptions,
  parent: Parent | undefined,
): Promise<ImagineOptions> {
  const { source } = typed;
  if (!source) return typed;
  const input = await withOrigin(invocation, { parent, input: source.input });
  return { ...typed, source: { ...source, input } };
}

type AcceptedRequest = Awaited<ReturnType<typeof accept>>;

/** Reads what was typed. Rejects with `UserError` where it cannot be made, or not here, or nobody pays for it. */
async function accept(
  invocation: Invocation,
  typed: ImagineOptions,
  rules: Rules,
  parent: Parent | undefined,
) {
  const { caller, permissions, texts, context } = invocation;
  const { offers } = context;
  checkPlace(invocation, rules);
  const { source } = typed;
  if (source && (await isOfBlocked(invocation, source.input))) throw new UserError(texts.source.ofBlocked);
  const resolved = await resolveRequest(invocation, typed, rules, { exact: parent !== undefined });
  const { credential } = rules;
  if (!credential) {
    const isKept = await keepTyped(invocation, typed, { parent });
    throw noKey(invocation, { ...rules, draftId: isKept ? caller.interaction.id : undefined });
  }
  const { graph, input, private: hidden } = resolved;
  if (!hidden) checkPostable(invocation, { byCommand: permissions.goesOnFromCommand() });
  // Elsewhere nobody waits for offers that are more than ten minutes old to be renewed. Here they are waited for,
  // because old ones would do harm: strangers would see what is private, or a picture of the member's own; adult
  // pictures would be asked of a workflow that has none; or the service does not know `variation_of`.
  if (hidden || input || rules.ageRestricted || resolved.submission.variation_of !== undefined)
    await offers.upToDate(credential.apiKey);
  const submission = graph ? resolved.submission : offers.effective(resolved.submission);
  return {
    resolved,
    /** That of `resolved`, without what has no effect. */
    submission,
    credential,
    /** Whether strangers would see what is private, or a picture of the member's own. */
    exposed: (hidden || input?.own === true) && offers.seenByStrangers(submission.workflow ?? 'default'),
    /** What limits count. */
    limited: {
      memberId: caller.member.id,
      guildId: caller.guildId,
      picture: {
        ...submission,
        payer: credential.payer,
        graph: graph?.name,
        usualCost: graph ? undefined : offers.usualCost(submission),
      },
      keyMemberDay: credential.terms?.picturesPerMember,
    },
  };
}

/**
 * Keeps what was typed, and asks whether it is to be made. Says whether it has asked: not where a limit refuses it
 * anyway, or there is nothing that the member wants to be asked.
 */
async function askFirst(
  invocation: Invocation,
  typed: ImagineOptions,
  { resolved, credential, exposed, limited }: AcceptedRequest,
  rules: Rules,
  parent: Parent | undefined,
): Promise<boolean> {
  const { caller, texts, context } = invocation;
  const { picturesDrawn } = resolved;
  const allowance = await context.requests.limits.allowanceOf(limited, rules.settings.limits);
  if (allowance && allowance.left < picturesDrawn) return false;
  const question = await questionOf(
    invocation,
    { ...resolved, exposed },
    credential,
    rules,
    caller.interaction.id,
  );
  if (!question) return false;
  if (!(await keepTyped(invocation, typed, { parent }))) throw new UserError(texts.confirm.notKept);
  await askAbout(invocation, question.message);
  return true;
}

function jobRequestOf(
  { caller, context }: Invocation,
  { resolved, submission, credential, limited }: AcceptedRequest,
  rules: Rules,
): JobRequest {
  const { settings, ageRestricted, flagged, own } = rules;
  const { graph, input, prompts, count, picturesDrawn, private: hidden, spoiler } = resolved;
  const isForAdults = ageRestricted && context.offers.drawsForAdults(submission.workflow);
  const taken = { ...limited, count: picturesDrawn, submissions: count };
  return {
    caller: hidden ? caller : inLanguageOf(settings, caller),
    submission: { ...submission, ...(isForAdults && { nsfw: true }) },
    graph,
    input,
    prompts,
    count,
    private: hidden,
    spoiler,
    flagged,
    notify: own.notify ?? settings.notify,
    credential,
    reservations: context.requests.limits.reservationsOf(taken, settings.limits),
  };
}

/** Begins the job, and settles the question about it. Where its draft has become a job before, says so instead. */
async function start(
  invocation: Invocation,
  jobRequest: JobRequest,
  { fromQuestion }: { fromQuestion: boolean },
): Promise<void> {
  const { id: draft, private: hidden } = jobRequest;
  const { reply, context } = invocation;
  let begun = false;
  let messageId: string | undefined;
  await context.pictures.tracker.begin(jobRequest, async () => {
    begun = true;
    messageId = await reply.deferReply({ ephemeral: hidden });
    return messageId;
  });
  if (draft === undefined) return;
  if (begun) return settleQuestion(invocation, draft, hidden ? undefined : messageId);
  const message = await describeBegun(invocation, draft);
  await (fromQuestion ? reply.update(message) : reply.respond(message));
}

/** What everybody reads is in the language of the server, where it has chosen one. */
const inLanguageOf = ({ locale }: GuildSettings, { member, ...caller }: Caller): Caller => ({
  ...caller,
  member: { ...member, locale: locale ?? member.locale },
});
