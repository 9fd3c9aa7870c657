import { defineCommand } from '../src/bot/command.ts';
import { option, within } from '../src/bot/command-payload.ts';
import { suggestGraphs } from '../src/graphs/kept-graphs.ts';
import { RANGES } from '../src/requests/flag-values.ts';
import { PROMPT_CHARACTERS } from '../src/requests/imagine-options.ts';
import { matching } from '../src/requests/matching.ts';
import { hasEffect } from '../src/requests/offers.ts';
import { suggestSizes } from '../src/requests/sizes.ts';
import { againButton, makeAgain } from './imagine/again.ts';
import { beginWith } from './imagine/begin-with.ts';
import { cancelButton, cancelRequest } from './imagine/cancel.ts';
import { askToDelete, confirmDelete } from './imagine/delete.ts';
import { continueDraft, dropDraft, editDraft, makeDraft, submitDraft } from './imagine/draft.ts';
import { editButton, openEditForm, submitEditForm } from './imagine/edit.ts';
import { exampleButton, makeExample } from './imagine/example.ts';
import { USES } from './imagine/invocation.ts';
import {
  deleteOfMessage,
  detailsOfMessage,
  imagineMessage,
  submitWords,
} from './imagine/message-commands.ts';
import { moreButton, showMore } from './imagine/more.ts';
import { pickMenu, showPicked } from './imagine/pick.ts';
import { actionButton, expandPicture, takeAction } from './imagine/picture-actions.ts';
import { postAlone } from './imagine/post-alone.ts';
import { publish, publishButton } from './imagine/publish.ts';
import { askAbout } from './imagine/question.ts';
import { openReportForm, resolveButton, resolveReport, submitReport } from './imagine/report.ts';
import { request } from './imagine/request.ts';
import { reviewFile, withKeptGraph } from './imagine/review-graph.ts';
import { show, showButton } from './imagine/show.ts';
import { showPrompt, showPromptButton } from './imagine/show-prompt.ts';
import { openChangeForm, showUsed, submitChangeForm, usePicture } from './imagine/use-picture.ts';
import { vary, varyButton } from './imagine/vary.ts';

const { steps, seed, cfg, count, strength } = RANGES;

export const imagine = defineCommand({
  uses: USES,
  data: {
    name: 'imagine',
    description: 'Make a picture from words',
    options: [
      option.text('prompt', 'What to show', { required: true, max_length: PROMPT_CHARACTERS }),
      option.text('negative_prompt', 'What to leave out', { max_length: PROMPT_CHARACTERS }),
      option.text('size', 'A preset, a ratio such as 3:2, or pixels such as 1024x768', {
        autocomplete: true,
      }),
      option.text('workflow', 'How it is drawn', { autocomplete: true }),
      option.integer('steps', `Sampling steps, ${steps.min} to ${steps.max}`, within(steps)),
      option.integer('seed', 'The same seed gives the same picture; -1 is random', within(seed)),
      option.number(
        'cfg',
        `How closely to follow the words (CFG), ${cfg.min} to ${cfg.max}, where the workflow uses it`,
        within(cfg),
      ),
      option.text('model', 'Which model, where the workflow has a choice', { autocomplete: true }),
      option.integer('count', `How many pictures, ${count.min} to ${count.max}`, within(count)),
      option.yesOrNo('private', 'Show it only to me'),
      option.file('image', 'A picture to begin with: the prompt says what it becomes'),
      option.number(
        'strength',
        `How much of that picture changes, ${strength.min} to ${strength.max}, where the workflow uses it`,
        within(strength),
      ),
      option.file('graph', 'ComfyUI graph in API format (.json); %prompt% and %seed% in it are filled in'),
      option.text('graph_name', 'A ComfyUI graph that this server keeps', { autocomplete: true }),
      option.yesOrNo('spoiler', 'Hide it behind a spoiler'),
    ],
  },

  async run(invocation) {
    const { graph: file, graph_name: name, image, ...options } = invocation.options;
    if (image)
      return beginWith(invocation, options, image, { withGraph: file !== undefined, graphName: name });
    if (file) await askAbout(invocation, reviewFile(invocation, options, file, name));
    else await request(invocation, await withKeptGraph(invocation, options, name));
  },

  async autocomplete(option, typed, texts, asked) {
    if (option === 'graph_name') return suggestGraphs(typed, asked);
    if (option === 'size') return suggestSizes(typed, texts.sizes);
    const { knownModels, guildSettings, guildId, given } = asked;
    const { workflows } = await guildSettings.of(guildId);
    const offers = asked.offers.of(workflows);
    if (option === 'workflow') {
      const able = offers.filter(({ fromWords }) => fromWords || given.image !== undefined);
      const found = matching(able, typed, { namesOf: ({ name }) => [name] });
      return found.map(({ name, cost }) => ({
        name: cost === undefined ? name : `${name} · ${texts.picture.usualPrice(cost)}`,
        value: name,
      }));
    }
    const taken = offers.filter(({ name }) => given.workflow === undefined || name === given.workflow);
    if (!hasEffect('model', taken)) return [];
    const offered = [...new Set(taken.flatMap((offer) => offer.models))];
    const models = await knownModels.suggest(typed, { ...asked, offered });
    return models.map((model) => ({ name: model, value: model }));
  },

  buttons: {
    again: makeAgain,
    edit: openEditForm,
    vary,
    of: takeAction,
    change: openChangeForm,
    draft: editDraft,
    make: makeDraft,
    drop: dropDraft,
    cancel: cancelRequest,
    delete: askToDelete,
    remove: confirmDelete,
    keep: ({ reply, texts }) => reply.update({ content: texts.actions.kept }),
    only: postAlone,
    publish,
    show,
    more: showMore,
    prompt: showPrompt,
    example: makeExample,
    report: openReportForm,
    resolve: resolveReport,
  },

  selects: { pick: showPicked, expand: expandPicture, use: showUsed },

  forms: {
    report: submitReport,
    draft: submitDraft,
    edit: submitEditForm,
    change: submitChangeForm,
    words: submitWords,
  },

  messageCommands: [imagineMessage, usePicture, detailsOfMessage, deleteOfMessage],

  nextSteps: {
    again: againButton,
    edit: editButton,
    vary: varyButton,
    upscale: (jobId, task, texts) => actionButton(jobId, `${task}`, '2x', texts),
    pick: pickMenu,
    cancel: cancelButton,
    publish: publishButton,
    show: showButton,
    more: moreButton,
    resolveReport: resolveButton,
    showPrompt: showPromptButton,
    tryExample: exampleButton,
  },

  continueDraft,
});
