import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import type { AttachedFile } from '../../src/jobs/input.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut } from '../../src/messages/message.ts';
import { pickedWorkflow, workflowSelect } from '../../src/messages/workflow-select.ts';
import { formatFlags, parseFlags } from '../../src/requests/flags.ts';
import { exampleFlags, hasEffect, type Offer } from '../../src/requests/offers.ts';
import { type ImagineOptions, PROMPT_CHARACTERS } from '../../src/requests/options.ts';
import type { Invocation } from './invocation.ts';

const SIZE_CHARACTERS = 60;

/** Fields of a form that changes a picture. */
const CHANGE = 'change';
const PICTURE = 'picture';

/** Opens the form for what can be asked for here. */
export async function showEditForm(
  customId: string,
  options: ImagineOptions,
  { caller, reply, texts, context }: Invocation,
  asks: { title?: string; canChange?: boolean; lacksPicture?: boolean } = {},
): Promise<void> {
  const { workflows } = await context.guilds.guildSettings.of(caller.guildId);
  await reply.showModal(
    editForm({ customId, options, offers: context.offers.of(workflows), texts, ...asks }),
  );
}

/** The form in which everything that has an effect can be changed; what `options` say is filled in. */
export function editForm({
  customId,
  options,
  offers,
  texts: all,
  title = all.editForm.title,
  canChange = false,
  lacksPicture = false,
}: {
  customId: string;
  options: ImagineOptions;
  offers: readonly Offer[];
  texts: Texts;
  /** That of an edit unless given. */
  title?: string;
  /**
   * Whether the picture itself can be changed, or another one. A form has room for five fields: of the others, flags
   * say some.
   */
  canChange?: boolean;
  /** Whether it was to begin with a picture that could not be used. Likewise. */
  lacksPicture?: boolean;
}): APIModalInteractionResponseCallbackData {
  const { editForm: texts } = all;
  const { prompt, negative_prompt: without, size, workflow, flags, graph, source, ...others } = options;
  const takesPicture = canChange || lacksPicture;
  const asFlags = {
    ...others,
    ...(takesPicture && without !== undefined && { negative_prompt: without }),
    // A picture that is changed keeps its size.
    ...(lacksPicture && size !== undefined && { size }),
  };
  const more = [formatFlags(asFlags), flags?.trim() ?? ''].filter((part) => part !== '').join(' ');
  const leavesOut = without !== undefined || graph !== undefined || hasEffect('negative_prompt', offers);
  return {
    custom_id: customId,
    title,
    components: [
      ...(canChange
        ? [
            field(CHANGE, all.source.form.change, {
              characters: PROMPT_CHARACTERS,
              cut: texts.cut,
              description: all.source.form.changeDescription,
            }),
          ]
        : []),
      field('prompt', texts.prompt, {
        value: prompt,
        required: !source || source.operation === 'edit',
        characters: PROMPT_CHARACTERS,
        cut: texts.cut,
      }),
      ...(takesPicture ? [pictureField(all, lacksPicture)] : []),
      ...(leavesOut && !takesPicture
        ? [
            field('negative_prompt', texts.negativePrompt, {
              value: without,
              characters: PROMPT_CHARACTERS,
              cut: texts.cut,
            }),
          ]
        : []),
      ...(takesPicture
        ? []
        : [
            field('size', texts.size, {
              value: size,
              short: true,
              characters: SIZE_CHARACTERS,
              cut: texts.cut,
              description: texts.sizeDescription,
            }),
          ]),
      workflowSelect(workflow, offers, all),
      field('flags', texts.more, {
        value: more,
        characters: PROMPT_CHARACTERS,
        cut: texts.cut,
        description: texts.moreDescription(exampleFlags(offers)),
      }),
    ],
  };
}

const pictureField = ({ source: { form } }: Texts, lacksPicture: boolean): APILabelComponent => ({
  type: ComponentType.Label,
  label: form.picture,
  description: lacksPicture ? form.pictureRefused : form.pictureDescription,
  component: {
    type: ComponentType.FileUpload,
    custom_id: PICTURE,
    required: false,
    min_values: 0,
    max_values: 1,
  },
});

/** What was said is to change. */
export const saidOf = ({ fields }: Pick<FormOptions, 'fields'>): string => fields[CHANGE]?.trim() ?? '';

/** The picture that was attached in place of the one that the form was opened with. */
export const attachedPicture = ({ files }: Pick<FormOptions, 'files'>): AttachedFile | undefined =>
  files[PICTURE]?.[0];

function field(
  name: string,
  label: string,
  {
    value = '',
    short = false,
    required = false,
    characters,
    cut: sayCut,
    description,
  }: {
    value?: string | undefined;
    short?: boolean;
    required?: boolean;
    characters: number;
    /** Said in place of the description where the value does not fit. */
    cut: (characters: number) => string;
    description?: string;
  },
): APILabelComponent {
  const kept = cut(value, characters);
  const described = kept === value ? description : sayCut(value.length - kept.length);
  return {
    type: ComponentType.Label,
    label,
    ...(described !== undefined && { description: described }),
    component: {
      type: ComponentType.TextInput,
      custom_id: name,
      style: short ? TextInputStyle.Short : TextInputStyle.Paragraph,
      required,
      max_length: characters,
      ...(value !== '' && { value: kept }),
    },
  };
}

/**
 * What was filled into the form, as it was typed. `before`: what it was opened with; where that was left as it is, a
 * flag in the prompt counts instead.
 */
export function readEditForm(
  { fields, picked }: Pick<FormOptions, 'fields' | 'picked'>,
  before?: ImagineOptions,
): ImagineOptions {
  const { prompt = '', negative_prompt = '', size = '', flags = '' } = fields;
  const flagged = parseFlags(prompt).options;
  const given = { negative_prompt, size, workflow: pickedWorkflow(picked) };
  const options = (['negative_prompt', 'size', 'workflow'] as const).filter(
    (name) => given[name].trim() !== '' && !(given[name] === before?.[name] && flagged[name] !== undefined),
  );
  return {
    prompt,
    ...Object.fromEntries(options.map((name) => [name, given[name]])),
    ...(flags.trim() !== '' && { flags }),
  };
}
