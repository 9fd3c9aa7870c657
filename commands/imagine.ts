import { LIMITS, WORKFLOWS, WORKFLOWS_SUPPORTING } from '@darkroom/image-api';
import { ApplicationCommandOptionType, ButtonStyle, PermissionFlagsBits } from 'discord.js';
import { defineCommand, EVERYWHERE } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { button, customId } from '../src/messages/buttons.ts';
import { autocompleteSize } from '../src/messages/size.ts';
import { MAX_PICTURES, PROMPT_CHARACTERS } from '../src/requests/options.ts';
import { makeAgain } from './imagine/again.ts';
import { cancelButton, cancelRequest } from './imagine/cancel.ts';
import { continueDraft, editDraft, submitDraft } from './imagine/draft.ts';
import { openReportForm, reportButton, resolveReport, submitReport } from './imagine/report.ts';
import { request } from './imagine/request.ts';
import { showPrompt, showPromptButton } from './imagine/show-prompt.ts';

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
        max_length: PROMPT_CHARACTERS,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'negative_prompt',
        description: 'What to leave out',
        max_length: PROMPT_CHARACTERS,
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
        description: 'Workflow',
        choices: WORKFLOWS.map((workflow) => ({ name: workflow, value: workflow })),
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'steps',
        description: `Sampling steps, ${LIMITS.steps.min} to ${LIMITS.steps.max}`,
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
        description: `Guidance scale (CFG): ${WORKFLOWS_SUPPORTING.cfg.join(' and ')}`,
        min_value: LIMITS.cfg.min,
        max_value: LIMITS.cfg.max,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'model',
        description: `Model: ${WORKFLOWS_SUPPORTING.model.join(' and ')}`,
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
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'spoiler',
        description: 'Hide it behind a spoiler',
      },
    ],
  },

  run: (invocation) => request(invocation, invocation.options),

  autocomplete(option, typed) {
    if (option === 'size') return autocompleteSize(typed);
    const models = MODELS.filter((model) => model.includes(typed.trim()));
    const named = typed.trim() === '' || models.includes(typed) ? models : [typed.slice(0, 100), ...models];
    return named.map((model) => ({ name: model, value: model }));
  },

  buttons: {
    again: makeAgain,

    draft: editDraft,

    cancel: cancelRequest,

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

  forms: { report: submitReport, draft: submitDraft },

  nextSteps: {
    repeat: (jobId, label) => button(ButtonStyle.Secondary, label, customId('imagine', 'again', jobId)),
    deleteMessage: (memberId, { picture }) =>
      button(ButtonStyle.Danger, picture.delete, customId('imagine', 'delete', memberId)),
    cancel: cancelButton,
    reportPicture: reportButton,
    showPrompt: showPromptButton,
  },

  continueDraft,
});
