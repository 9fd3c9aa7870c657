import type { Submission } from '@darkroom/image-api';
import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { noKey } from '../../src/bot/no-key.ts';
import { UserError } from '../../src/bot/user-error.ts';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { Job } from '../../src/jobs/job.ts';
import type { Caller } from '../../src/jobs/job-request.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import { formatSize } from '../../src/messages/size.ts';
import { escapeFlags } from '../../src/requests/flags.ts';
import { type ImagineOptions, MAX_PICTURES, type Parent } from '../../src/requests/options.ts';
import { withDefaults } from './defaults.ts';
import { graphSubmission } from './graph-submission.ts';
import { parseSubmission } from './submission.ts';
import { checkPlace, checkSubmission, readTerms, type Terms } from './terms.ts';
import { readTyped } from './typed-options.ts';

/** What a request comes to. */
interface Wanted {
  submission: Submission;
  graph: ImagineOptions['graph'];
  count: number;
  private: boolean;
  spoiler: boolean;
}

/**
 * What every way to a picture ends in: refuses what cannot be made, or begins the job, as the first answer to its
 * interaction. What was typed is kept for a day, so that it can be mended. `parent`: the picture that it comes from.
 * `confirmed`: the draft that its member has said yes to.
 */
export async function request(
  invocation: Invocation,
  typed: ImagineOptions,
  { parent, confirmed: _ }: { parent?: Parent | undefined; confirmed?: string | undefined } = {},
): Promise<void> {
  const { caller, permissions, reply, texts, context } = invocation;
  const { tracker, limits } = context;
  const terms = await readTerms(invocation);
  const { settings, credential } = terms;
  checkPlace(terms, invocation);
  const wanted = await readOrKeep(typed, terms, invocation, { parent });
  if (!credential) {
    const kept = await keep(typed, invocation, { parent });
    throw noKey(invocation, kept ? caller.interaction.id : undefined);
  }
  const { submission, graph, count, private: hidden, spoiler } = wanted;
  const missing = hidden ? [] : permissions.botLacks();
  if (missing.length > 0) throw new UserError(texts.refusal.missingPermissions(missing));
  const claims = limits.claimsOf(
    {
      memberId: caller.member.id,
      guildId: caller.guildId,
      count,
      workflow: submission.workflow,
      payer: credential.payer,
      keyMemberDay: credential.terms?.picturesPerMember,
    },
    settings.limits,
  );
  const asked = {
    caller: hidden ? caller : inLanguageOf(settings, caller),
    submission,
    ...(graph && { graph }),
    count,
    ...(parent && { parent }),
    private: hidden,
    spoiler,
    flagged: terms.flagged,
    credential,
    claims,
  };
  await tracker.begin(asked, () => reply.deferReply({ ephemeral: hidden }));
}

/** What was typed, read. Where it is typed wrong, or not allowed here, it is kept: `UserError` offers to mend it. */
export async function readOrKeep(
  typed: ImagineOptions,
  terms: Terms,
  invocation: Invocation,
  from: { parent?: Parent | undefined },
): Promise<Wanted> {
  try {
    return read(typed, terms, invocation);
  } catch (error) {
    if (error instanceof UserError && (await keep(typed, invocation, from)))
      throw new UserError(error.message, { nextStep: editButton(invocation) });
    throw error;
  }
}

const keep = (
  options: ImagineOptions,
  { caller, context }: Invocation,
  { parent }: { parent?: Parent | undefined },
) => context.drafts.put(caller.interaction.id, caller.member.id, { options, ...(parent && { parent }) });

/** Throws `UserError` for what was typed wrong, or is not allowed here. */
function read(typed: ImagineOptions, terms: Terms, invocation: Invocation): Wanted {
  const { texts, context } = invocation;
  const { settings } = terms;
  const {
    count = 1,
    private: hidden = settings.privateByDefault,
    spoiler = false,
    graph,
    ...options
  } = readTyped(typed, texts);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PICTURES) {
    throw new UserError(texts.refusal.integerRange('count', 1, MAX_PICTURES));
  }
  if (graph) {
    const submission = graphSubmission(options, graph, terms, invocation);
    return { submission, graph, count, private: hidden, spoiler };
  }
  const submission = parseSubmission(withDefaults(options, settings, context.limits.bounds), texts);
  checkSubmission(submission, terms, invocation);
  return { submission, graph, count, private: hidden, spoiler };
}

/** Opens the form with what was typed. */
const editButton = ({ caller, texts }: Invocation) =>
  button(ButtonStyle.Primary, texts.editForm.edit, customId('imagine', 'draft', caller.interaction.id));

/**
 * What makes this job again, with other seeds. `task`: what makes that picture of it again, with its seed, its words and
 * nothing beside it.
 */
export function optionsOf(job: Job, { task }: { task?: number } = {}): ImagineOptions {
  const { prompt, width, height, workflow, negative_prompt, steps, cfg, model } = job.submission;
  const one = task === undefined ? undefined : job.tasks[task];
  const words = one?.prompt ?? prompt;
  const given = {
    negative_prompt,
    size: width === undefined || height === undefined ? undefined : formatSize({ width, height }),
    workflow,
    steps,
    seed: one?.seed,
    cfg,
    model,
    count: one ? undefined : job.tasks.length,
    private: job.private,
    spoiler: job.spoiler,
    graph: job.graph,
  };
  return {
    prompt: typeof words === 'string' ? escapeFlags(words) : '',
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** What everybody reads is in the language of the server, where it has chosen one. */
const inLanguageOf = ({ locale }: GuildSettings, { member, ...caller }: Caller): Caller => ({
  ...caller,
  member: { ...member, locale: locale ?? member.locale },
});
