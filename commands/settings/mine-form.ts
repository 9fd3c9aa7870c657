import type { APILabelComponent, APIModalInteractionResponseCallbackData } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';
import { customId } from '../../src/messages/buttons.ts';
import { textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut } from '../../src/messages/message.ts';
import { refuseAll, UserError } from '../../src/messages/user-error.ts';
import { pickedWorkflow, workflowSelect } from '../../src/messages/workflow-select.ts';
import { formatFlags } from '../../src/requests/flags.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { exampleFlags, hasEffect, type Offer } from '../../src/requests/offers.ts';
import type { ImagineOptions } from '../../src/requests/options.ts';
import { parseSubmission } from '../../src/requests/submission.ts';
import { readTyped } from '../../src/requests/typed-options.ts';

/** Of what stands in every request: of a form's 4000 as many as leave room for the words of one. */
const CHARACTERS = 1_000;

/** Asks for what counts where a member does not say. */
export function defaultsForm(
  { negative_prompt, size, workflow, flags, prompt: _, graph: __, seed: ___, ...others }: ImagineOptions,
  offers: readonly Offer[],
  all: Texts,
): APIModalInteractionResponseCallbackData {
  const { editForm: texts, mySettings } = all;
  const more = [formatFlags(others), flags ?? ''].join(' ').trim();
  return {
    custom_id: customId('settings', 'mine'),
    title: mySettings.heading,
    components: [
      ...(negative_prompt !== undefined || hasEffect('negative_prompt', offers)
        ? [field('negative_prompt', texts.negativePrompt, negative_prompt)]
        : []),
      field('size', texts.size, size, texts.sizeDescription),
      workflowSelect(
        workflow,
        offers.filter(({ fromWords }) => fromWords),
        all,
      ),
      field('flags', texts.more, more, mySettings.moreDescription(exampleFlags(offers, 'seed'))),
    ],
  };
}

const field = (name: string, label: string, value = '', description?: string): APILabelComponent =>
  textField({
    name,
    label,
    description,
    long: name === 'negative_prompt',
    characters: CHARACTERS,
    value: cut(value, CHARACTERS),
  });

export function readDefaultsForm({ fields, picked }: FormOptions): ImagineOptions {
  const { negative_prompt = '', size = '', flags = '' } = fields;
  const typed = { negative_prompt, size, flags, workflow: pickedWorkflow(picked) };
  const filled = Object.entries(typed).filter(([, value]) => value.trim() !== '');
  return { prompt: '', ...Object.fromEntries(filled) };
}

/** The defaults in it. Throws `UserError` where something is none. */
export function readDefaults(typed: ImagineOptions, offers: readonly Offer[], texts: Texts): MemberDefaults {
  const { options, wrong } = readTyped(typed, texts);
  refuseAll(wrong);
  const { prompt: _, graph: __, seed, ...defaults } = options;
  if (seed !== undefined) throw new UserError(texts.mySettings.noSeed);
  const { count: ___, private: ____, spoiler: _____, ...submitted } = defaults;
  parseSubmission({ ...submitted, prompt: 'fox' }, texts, { offers });
  return defaults;
}
