import { noKey } from '../../src/bot/key-errors.ts';
import { drawnBefore } from '../../src/delivery/pictures/lineage.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import { aloneAt, type Parent } from '../../src/jobs/job.ts';
import type { Caller, JobRequest } from '../../src/jobs/job-request.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import type { Invocation } from './invocation.ts';
import { keepTyped, orKeep } from './keep-typed.ts';
import { askAbout, describeBegun, questionOf, settleQuestion } from './question.ts';
import { resolveRequest } from './resolve-request.ts';
import { checkPlace, checkPostable, type Rules, readRules } from './rules.ts';
import { checkNotRemoved } from './shown-job.ts';
import { isOfBlocked, withOrigin } from './starting-picture.ts';

/**
 * What every way to a picture ends in, as the first answer to its interaction: refuses what cannot be made, asks
 * before several pictures are paid for, or begins the job. What was typed is kept for a day, to be changed or
 * confirmed.
 */
export async function request(
  invocation: Invocation,
  asked: ImagineOptions,
  options: RequestOptions = {},
): Promise<void> {
  const { parent, lacksPicture } = options;
  // Read while Discord is asked: the first answer has three seconds.
  const rules = readRules(invocation);
  const beginsWithParent = parent?.varied || (asked.source && !asked.source.input.own);
  const typed = beginsWithParent ? await checkParent(asked, parent, invocation) : asked;
  const begin = async () => askOrStart(invocation, typed, await rules, options);
  await orKeep(typed, invocation, { parent, lacksPicture }, begin);
}

/** As `request`, by a press: pressed twice in a moment, once. `pressed`: what tells it from other presses. */
export async function requestOnce(
  invocation: Invocation,
  pressed: readonly string[],
  asked: ImagineOptions,
  options: RequestOptions = {},
): Promise<void> {
  const { caller, reply, context } = invocation;
  const make = () => request(invocation, asked, options);
  if (!(await context.pictures.presses.once([caller.member.id, ...pressed].join(':'), make)))
    await reply.acknowledge();
}

/**
 * What is kept as a draft may have been there before its picture was deleted. Resolves with `typed`, whose picture
 * is where it stands now.
 */
async function checkParent(
  typed: ImagineOptions,
  parent: Parent | undefined,
  invocation: Invocation,
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
    checkNotRemoved(job, invocation, { task: parent.task }),
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
  /** The draft that it was, which makes one job however often it goes on. */
  draft?: string | undefined;
  /** Likewise, without asking again. */
  confirmed?: string | undefined;
  /** Whether several pictures are asked about first; unless `confirmed`, they are. */
  asks?: boolean;
  /** Whether it is as it was asked for before: then nobody is refused for what has no effect any more. */
  repeats?: boolean;
}

async function askOrStart(
  invocation: Invocation,
  asked: ImagineOptions,
  rules: Rules,
  { parent, confirmed, draft = confirmed, asks = confirmed === undefined, repeats = false }: RequestOptions,
): Promise<void> {
  const { caller, permissions, texts, context } = invocation;
  const { limits } = context.requests;
  const draftId = caller.interaction.id;
  const effective = repeats && !asked.graph ? context.offers.effective(asked) : asked;
  const { source } = effective;
  const begins = source && (await withOrigin({ parent, input: source.input }, invocation));
  const typed = begins ? { ...effective, source: { ...source, input: begins } } : effective;
  const keep = () => keepTyped(typed, invocation, { parent });
  const { settings, credential } = rules;
  checkPlace(rules, invocation);
  if (begins && (await isOfBlocked(begins, invocation))) throw new UserError(texts.source.ofBlocked);
  const resolved = await resolveRequest(typed, rules, invocation, { exact: parent !== undefined });
  if (!credential) throw noKey(invocation, { ...rules, draftId: (await keep()) ? draftId : undefined });
  const { graph, input, prompts, count, picturesDrawn, private: hidden, spoiler } = resolved;
  if (!hidden) checkPostable(invocation, { byCommand: permissions.goesOnFromCommand() });
  // Before it sends something private it knows who will see it, and before an addition, whether it is known.
  if (hidden || input || rules.ageRestricted || resolved.submission.variation_of !== undefined)
    await context.offers.upToDate(credential.apiKey);
  const submission = graph ? resolved.submission : context.offers.effective(resolved.submission);
  const limited = {
    memberId: caller.member.id,
    guildId: caller.guildId,
    picture: {
      ...submission,
      payer: credential.payer,
      graph: graph?.name,
      usualCost: graph ? undefined : context.offers.usualCost(submission),
    },
    keyMemberDay: credential.terms?.picturesPerMember,
  };
  const exposed =
    (hidden || input?.own === true) && context.offers.seenByStrangers(submission.workflow ?? 'default');
  // What is refused anyway is not asked about.
  const mayAsk = async () =>
    ((await limits.allowanceOf(limited, settings.limits))?.left ?? picturesDrawn) >= picturesDrawn;
  const isQuestion = (asks && count > 1) || (exposed && confirmed === undefined);
  if (isQuestion && (await mayAsk())) {
    const question = await questionOf({ ...resolved, exposed }, credential, rules, draftId, invocation);
    if (question) {
      if (!(await keep())) throw new UserError(texts.confirm.notKept);
      await askAbout(question.message, invocation);
      return;
    }
  }
  const reservations = limits.reservationsOf(
    { ...limited, count: picturesDrawn, submissions: count },
    settings.limits,
  );
  const jobRequest: JobRequest = {
    id: draft,
    caller: hidden ? caller : inLanguageOf(settings, caller),
    submission: {
      ...submission,
      ...(rules.ageRestricted && context.offers.drawsForAdults(submission.workflow) && { nsfw: true }),
    },
    graph,
    input,
    prompts,
    count,
    parent,
    private: hidden,
    spoiler,
    flagged: rules.flagged,
    notify: rules.own.notify ?? settings.notify,
    credential,
    reservations,
  };
  await start(jobRequest, { fromQuestion: confirmed !== undefined }, invocation);
}

/** Begins the job, and settles the question about it. Where its draft has become a job before, says so instead. */
async function start(
  jobRequest: JobRequest,
  { fromQuestion }: { fromQuestion: boolean },
  invocation: Invocation,
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
  if (begun) return settleQuestion(draft, hidden ? undefined : messageId, invocation);
  const message = await describeBegun(draft, invocation);
  await (fromQuestion ? reply.update(message) : reply.respond(message));
}

/** What everybody reads is in the language of the server, where it has chosen one. */
const inLanguageOf = ({ locale }: GuildSettings, { member, ...caller }: Caller): Caller => ({
  ...caller,
  member: { ...member, locale: locale ?? member.locale },
});
