import { LIMITS, WORKFLOWS, WORKFLOWS_SUPPORTING } from '@darkroom/image-api';
import { ApplicationCommandOptionType, ButtonStyle } from 'discord.js';
import { defineCommand, EVERYWHERE } from '../src/bot/command.ts';
import { suggestGraphs } from '../src/graphs/kept-graphs.ts';
import { button, customId } from '../src/messages/buttons.ts';
import { MAX_PICTURES, PROMPT_CHARACTERS } from '../src/requests/options.ts';
import { suggestSizes } from '../src/requests/sizes.ts';
import { makeAgain } from './imagine/again.ts';
import { cancelButton, cancelRequest } from './imagine/cancel.ts';
import { dropDraft, makeDraft } from './imagine/confirm.ts';
import { askToDelete, confirmDelete, deleteButton, keepPicture } from './imagine/delete.ts';
import { detailsButton, showDetails } from './imagine/details.ts';
import { continueDraft, editDraft, submitDraft } from './imagine/draft.ts';
import { openEditForm, openVaryForm, submitEditForm } from './imagine/edit.ts';
import { exampleButton, makeExample } from './imagine/example.ts';
import { keptGraph, listFile } from './imagine/list-graph.ts';
import {
  deleteOfMessage,
  detailsOfMessage,
  imagineMessage,
  submitWords,
} from './imagine/message-commands.ts';
import { moreButton, showMore } from './imagine/more.ts';
import { showOnly } from './imagine/only-this.ts';
import { publish } from './imagine/publish.ts';
import { askAbout } from './imagine/question.ts';
import { openReportForm, resolveReport, submitReport } from './imagine/report.ts';
import { request } from './imagine/request.ts';
import { showPrompt, showPromptButton } from './imagine/show-prompt.ts';

export const imagine = defineCommand({
  data: {
    name: 'imagine',
    description: 'Make a picture from words',
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'prompt',
        description: 'What to show',
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
        description: 'A preset, a ratio such as 3:2, or pixels such as 1024x768',
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
        description: `Guidance scale (CFG), for ${WORKFLOWS_SUPPORTING.cfg.join(' and ')}`,
        min_value: LIMITS.cfg.min,
        max_value: LIMITS.cfg.max,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'model',
        description: `Model, for ${WORKFLOWS_SUPPORTING.model.join(' and ')}`,
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
        type: ApplicationCommandOptionType.Attachment,
        name: 'graph',
        description: 'ComfyUI graph in API format (.json); %prompt% and %seed% in it are filled in',
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'graph_name',
        description: 'A ComfyUI graph that this server keeps',
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'spoiler',
        description: 'Hide it behind a spoiler',
      },
    ],
  },

  async run(invocation) {
    const { graph: file, graph_name: name, ...options } = invocation.options;
    if (file) await askAbout(listFile(invocation, options, file), invocation);
    else await request(invocation, { ...options, ...(await keptGraph(invocation, name)) });
  },

  async autocomplete(option, typed, texts, asked) {
    if (option === 'graph_name') return suggestGraphs(typed, asked);
    if (option === 'size') return suggestSizes(typed, texts.sizes);
    const models = await asked.context.knownModels.suggest(typed, asked);
    return models.map((model) => ({ name: model, value: model }));
  },

  buttons: {
    again: makeAgain,

    edit: openEditForm,

    vary: openVaryForm,

    draft: editDraft,

    make: makeDraft,

    drop: dropDraft,

    cancel: cancelRequest,

    delete: askToDelete,
    remove: confirmDelete,
    keep: keepPicture,

    only: showOnly,

    details: showDetails,

    publish,

    more: showMore,

    prompt: showPrompt,

    example: makeExample,

    report: openReportForm,

    resolve: resolveReport,
  },

  forms: { report: submitReport, draft: submitDraft, edit: submitEditForm, words: submitWords },

  messageCommands: [imagineMessage, detailsOfMessage, deleteOfMessage],

  nextSteps: {
    repeat: (jobId, label) => button(ButtonStyle.Secondary, label, customId('imagine', 'again', jobId)),
    edit: (jobId, { actions }) =>
      button(ButtonStyle.Secondary, actions.edit, customId('imagine', 'edit', jobId)),
    vary: (jobId, task, label) =>
      button(ButtonStyle.Secondary, label, customId('imagine', 'vary', jobId, `${task}`)),
    cancel: cancelButton,
    showOnly: (jobId, task, label) =>
      button(ButtonStyle.Secondary, label, customId('imagine', 'only', jobId, `${task}`)),
    showDetails: detailsButton,
    publish: (jobId, { actions }) =>
      button(ButtonStyle.Primary, actions.publish, customId('imagine', 'publish', jobId)),
    more: moreButton,
    deleteMessage: deleteButton,
    showPrompt: showPromptButton,
    tryExample: exampleButton,
  },

  continueDraft,
});
