import type { Submission } from '@darkroom/image-api';
import { LIMITS, WORKFLOWS, WORKFLOWS_SUPPORTING } from '@darkroom/image-api';
import { ApplicationCommandOptionType, ButtonStyle, PermissionFlagsBits } from 'discord.js';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import type { GuildSettings } from '../src/guilds/guild-settings.ts';
import type { Caller } from '../src/jobs/job-request.ts';
import { button, customId } from '../src/messages/buttons.ts';
import { autocompleteSize } from '../src/messages/size.ts';
import { withDefaults } from './imagine/defaults.ts';
import { openReportForm, reportButton, resolveReport, submitReport } from './imagine/report.ts';
import { showPrompt, showPromptButton } from './imagine/show-prompt.ts';
import { isShownTo } from './imagine/shown-to.ts';
import { parseSubmission } from './imagine/submission.ts';
import { checkTerms, readTerms, type Terms } from './imagine/terms.ts';

/** Of the 6000 characters that an option may have, as many as fit the embed that shows them. */
const PROMPT_LENGTH = 4_000;
const MAX_PICTURES = 4;

/** Models that image services are usually set up with; any other can be typed. */
const MODELS = ['v1-5-pruned-emaonly-fp16.safetensors', 'animagine-xl-4.0.safetensors'];

export const imagine = defineCommand({
  data: {
    name: 'imagine',
    description: 'Draw a picture from words',
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'prompt',
        description: 'What to draw',
        required: true,
        max_length: PROMPT_LENGTH,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'negative_prompt',
        description: 'What to leave out',
        max_length: PROMPT_LENGTH,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'size',
        description: `A preset, or width x height in pixels (default ${LIMITS.width.default}x${LIMITS.height.default})`,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'workflow',
        description: 'The way it is drawn',
        choices: WORKFLOWS.map((workflow) => ({ name: workflow, value: workflow })),
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'steps',
        description: 'How often it is refined',
        min_value: LIMITS.steps.min,
        max_value: LIMITS.steps.max,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'seed',
        description: 'The same seed gives the same picture; -1 is random',
        min_value: LIMITS.seed.min,
        max_value: LIMITS.seed.max,
      },
      {
        type: ApplicationCommandOptionType.Number,
        name: 'cfg',
        description: `How closely it keeps to the words (${WORKFLOWS_SUPPORTING.cfg.join(' and ')})`,
        min_value: LIMITS.cfg.min,
        max_value: LIMITS.cfg.max,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'model',
        description: `The model to draw with (${WORKFLOWS_SUPPORTING.model.join(' and ')})`,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'count',
        description: 'How many pictures',
        min_value: 1,
        max_value: MAX_PICTURES,
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'private',
        description: 'Show it only to me',
      },
    ],
  },

  async run(invocation) {
    const terms = await readTerms(invocation);
    const { settings } = terms;
    const { count = 1, private: hidden = settings.privateByDefault, ...options } = invocation.options;
    const { refusal } = invocation.texts;
    if (!Number.isInteger(count) || count < 1 || count > MAX_PICTURES) {
      throw new UserError(refusal.integerRange('count', 1, MAX_PICTURES));
    }
    const submission = parseSubmission(
      withDefaults(options, settings, invocation.context.limits.bounds),
      invocation.texts,
    );
    await begin(invocation, submission, terms, { count, private: hidden });
  },

  autocomplete(option, typed) {
    if (option === 'size') return autocompleteSize(typed);
    const models = MODELS.filter((model) => model.includes(typed.trim()));
    const named = typed.trim() === '' || models.includes(typed) ? models : [typed.slice(0, 100), ...models];
    return named.map((model) => ({ name: model, value: model }));
  },

  buttons: {
    async again(invocation) {
      const [jobId = ''] = invocation.options;
      const [job, terms] = await Promise.all([invocation.context.tracker.find(jobId), readTerms(invocation)]);
      if (!job || !isShownTo(invocation.caller, job)) {
        throw new UserError(invocation.texts.refusal.jobExpired);
      }
      await begin(invocation, job.submission, terms, { count: job.tasks.length, private: job.private });
    },

    async delete({ options: [memberId = ''], caller, permissions, reply, texts, context }) {
      const { guildId, member } = caller;
      const isOwn = member.id === memberId;
      if (!isOwn && !permissions.callerHas(PermissionFlagsBits.ManageMessages)) {
        throw new UserError(texts.refusal.notDeletable);
      }
      await reply.acknowledge();
      await reply.deleteMessage();
      if (isOwn) return;
      await context.auditLog.record({ event: 'picture-deleted', guildId, actorId: member.id, memberId });
    },

    prompt: showPrompt,

    report: openReportForm,

    resolve: resolveReport,
  },

  forms: { report: submitReport },

  nextSteps: {
    repeat: (jobId, label) => button(ButtonStyle.Secondary, label, customId('imagine', 'again', jobId)),
    deleteMessage: (memberId, { picture }) =>
      button(ButtonStyle.Danger, picture.delete, customId('imagine', 'delete', memberId)),
    reportPicture: reportButton,
    showPrompt: showPromptButton,
  },
});

/** Everything that can be refused is refused before the deferral, which fixes who may read the answer. */
async function begin(
  invocation: Invocation,
  submission: Submission,
  terms: Terms,
  { count, private: hidden }: { count: number; private: boolean },
): Promise<void> {
  const { caller, permissions, reply, texts, context } = invocation;
  const { tracker, limits, nextSteps } = context;
  const { settings, credential } = terms;
  checkTerms(submission, terms, invocation);
  if (!credential)
    throw new UserError(texts.refusal.noKey, { nextStep: nextSteps.linkKey?.('member', texts) });
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
  const request = {
    caller: hidden ? caller : inLanguageOf(settings, caller),
    submission,
    count,
    private: hidden,
    ...(caller.guildId !== null && settings.flagged !== 'show' && { flagged: settings.flagged }),
    credential,
    claims,
  };
  await tracker.begin(request, () => reply.deferReply({ ephemeral: hidden }));
}

/** What everybody reads is in the language of the server, where it has chosen one. */
const inLanguageOf = ({ locale }: GuildSettings, { member, ...caller }: Caller): Caller => ({
  ...caller,
  member: { ...member, locale: locale ?? member.locale },
});
