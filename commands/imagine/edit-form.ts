import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
} from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { GRAPH_NAME_CHARACTERS } from '../../src/graphs/kept-graphs.ts';
import type { AttachedFile } from '../../src/jobs/input.ts';
import { pickedWorkflow, textField, workflowSelect } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut } from '../../src/messages/message.ts';
import { unlessRefused } from '../../src/messages/user-error.ts';
import type { Draft } from '../../src/requests/drafts.ts';
import { formatFlags, parseFlags } from '../../src/requests/flags.ts';
import { type ImagineOptions, PROMPT_CHARACTERS } from '../../src/requests/imagine-options.ts';
import { exampleFlags, hasEffect, type Offer, type Offers } from '../../src/requests/offers.ts';
import { checkOwnPictures } from './inputs.ts';
import type { Invocation } from './invocation.ts';

const SIZE_CHARACTERS = 60;

const CHANGE = 'change';
const PICTURE = 'picture';

/** In place of a workflow, which has no effect then. */
const GRAPH = 'graph';
const GRAPH_NAME = 'graph_name';

interface FormVariant extends Pick<Draft, 'lacksPicture' | 'lacksGraph' | 'graphName'> {
  /** That of an edit unless given. */
  title?: string;
  /**
   * Whether the picture itself can be changed, or another one. A form has room for five fields: of the others, flags
   * say some.
   */
  canChange?: boolean;
  /** Whether a picture of one's own may be brought. */
  brings?: boolean;
}

/** Opens the form for what can be asked for here. */
export async function showEditForm(
  invocation: Invocation,
  customId: string,
  options: ImagineOptions,
  variant: Omit<FormVariant, 'brings'> = {},
): Promise<void> {
  const { caller, reply, texts, context } = invocation;
  const settings = await context.guilds.guildSettings.of(caller.guildId);
  const mayBring = async () => {
    checkOwnPictures(invocation, { settings, ageRestricted: await caller.isAgeRestricted() });
    return true;
  };
  const takesPicture = variant.canChange || variant.lacksPicture;
  const brings = takesPicture === true && (await unlessRefused(mayBring())) === true;
  const offers = context.offers.of(settings.workflows);
  await reply.showModal(editForm({ customId, options, offers, texts, ...variant, brings }));
}

/** The form in which everything that has an effect can be changed; what `options` say is filled in. */
export function editForm({
  customId,
  options,
  offers,
  texts: all,
  title = all.editForm.edit,
  canChange = false,
  lacksPicture: lacks,
  brings = true,
  lacksGraph,
  graphName,
}: {
  customId: string;
  options: ImagineOptions;
  offers: readonly Offer[];
  texts: Texts;
} & FormVariant): APIModalInteractionResponseCallbackData {
  const {
    editForm: texts,
    source: { form },
  } = all;
  const { prompt, negative_prompt: without, size, workflow, flags, graph, source, ...others } = options;
  const lacksPicture = lacks && brings;
  const takesPicture = canChange || lacksPicture;
  const asFlags = {
    ...others,
    // Without a picture there is nothing that it says how to change.
    ...(lacks && !brings && { strength: undefined }),
    ...(takesPicture && without !== undefined && { negative_prompt: without }),
    // A picture that is changed keeps its size.
    ...(lacksPicture && size !== undefined && { size }),
  };
  const more = [formatFlags(asFlags), flags?.trim() ?? ''].filter((part) => part !== '').join(' ');
  const namesGraph = {
    label: texts.graphName,
    description: texts.graphNameDescription,
    long: false,
    characters: GRAPH_NAME_CHARACTERS,
  };
  const graphField = lacksGraph
    ? fileField(GRAPH, texts.graph, texts.attachGraph, { required: true })
    : graphName !== undefined && field(GRAPH_NAME, { ...namesGraph, value: graphName }, texts);
  const leavesOut =
    without !== undefined || graph !== undefined || graphField || hasEffect('negative_prompt', offers);
  const isPromptNeeded = !canChange && (!source || source.operation === 'edit');
  const sizeField = { label: all.picture.size, description: texts.sizeDescription };
  const moreDescription = texts.moreDescription(exampleFlags(offers));
  return {
    custom_id: customId,
    title,
    components: [
      ...(canChange
        ? [field(CHANGE, { label: form.change, description: form.changeDescription }, texts)]
        : []),
      field('prompt', { label: texts.prompt, value: prompt, required: isPromptNeeded }, texts),
      ...(takesPicture
        ? brings
          ? [fileField(PICTURE, form.picture, lacksPicture ? form.pictureRefused : form.pictureDescription)]
          : []
        : [
            ...(leavesOut
              ? [field('negative_prompt', { label: texts.negativePrompt, value: without }, texts)]
              : []),
            field('size', { ...sizeField, value: size, long: false, characters: SIZE_CHARACTERS }, texts),
          ]),
      graphField || workflowSelect(workflow, offers, all),
      field('flags', { label: texts.more, value: more, description: moreDescription }, texts),
    ],
  };
}

const fileField = (
  name: string,
  label: string,
  description: string,
  { required = false } = {},
): APILabelComponent => ({
  type: ComponentType.Label,
  label,
  description,
  component: {
    type: ComponentType.FileUpload,
    custom_id: name,
    required,
    min_values: required ? 1 : 0,
    max_values: 1,
  },
});

/** The words that say what is to change; empty where there are none. */
export const changeIn = ({ fields }: Pick<FormOptions, 'fields'>): string => fields[CHANGE]?.trim() ?? '';

/** The picture that was attached in place of the one that the form was opened with. */
export const pictureFileIn = ({ files }: Pick<FormOptions, 'files'>): AttachedFile | undefined =>
  files[PICTURE]?.[0];

export const graphFileIn = ({ files }: Pick<FormOptions, 'files'>): AttachedFile | undefined =>
  files[GRAPH]?.[0];

/** The name of the server's graph that is to draw; undefined where none is. */
export const graphNameIn = ({ fields }: Pick<FormOptions, 'fields'>): string | undefined =>
  fields[GRAPH_NAME]?.trim() || undefined;

/** Of a prompt unless it says otherwise. What of its value does not fit is said in place of its description. */
function field(
  name: string,
  {
    value = '',
    characters = PROMPT_CHARACTERS,
    description,
    ...options
  }: Partial<Parameters<typeof textField>[0]> & { label: string },
  { cut: sayCut }: Texts['editForm'],
): APILabelComponent {
  const kept = cut(value, characters);
  const described = kept === value ? description : sayCut(value.length - kept.length);
  return textField({ name, long: true, characters, ...options, value: kept, description: described });
}

/**
 * What was filled into the form, as it was typed. `before`: what it was opened with; where that was left as it is, a
 * flag in the prompt counts instead.
 */
export function readEditForm(
  {
    options: { fields, picked },
    context: { offers },
  }: { options: Pick<FormOptions, 'fields' | 'picked'>; context: { offers: Pick<Offers, 'of'> } },
  before?: ImagineOptions,
): ImagineOptions {
  const { prompt = '', negative_prompt = '', size = '', flags = '' } = fields;
  const flagged = parseFlags(prompt).options;
  const given = { negative_prompt, size, workflow: pickedWorkflow(picked, offers.of()) };
  const options = (['negative_prompt', 'size', 'workflow'] as const).filter(
    (name) => given[name].trim() !== '' && !(given[name] === before?.[name] && flagged[name] !== undefined),
  );
  return {
    prompt,
    ...Object.fromEntries(options.map((name) => [name, given[name]])),
    ...(flags.trim() !== '' && { flags }),
  };
}
