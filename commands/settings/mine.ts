import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
} from 'discord.js';
import type { FormOptions, SelectOptions } from '../../src/bot/command.ts';
import { notify as notifyChoice } from '../../src/jobs/job.ts';
import { button, customId, menuRow, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { pickedWorkflow, textField, workflowSelect } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut, type Message } from '../../src/messages/message.ts';
import { refuseAll } from '../../src/messages/user-error.ts';
import { formatFlags } from '../../src/requests/flags.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import type { MemberDefaults, MemberSettings } from '../../src/requests/member-settings.ts';
import { exampleFlags, hasEffect, type Offer } from '../../src/requests/offers.ts';
import { parseSubmission } from '../../src/requests/parse-submission.ts';
import { readTyped } from '../../src/requests/typed-options.ts';
import type { Invocation } from './invocation.ts';
import { keptTyped, orKeep } from './keep-typed.ts';

/** In place of a choice. */
const UNDECIDED = 'undecided' as const;
const CHOICES = notifyChoice.options;

const TEXT_CHARACTERS = 200;

export const openMineButton = ({ mySettings }: Texts) =>
  button.secondary(mySettings.open, customId('settings', 'me'));

/** What the caller has decided for all of their requests, and what changes it. */
export const showMine = async (invocation: Invocation): Promise<void> =>
  invocation.reply.answer(
    invocation.context.requests.memberSettings
      .of(invocation.caller.member.id)
      .then((settings) => render(settings, invocation.texts)),
  );

/** Opens the form of the defaults, as they are or as they were typed wrong. */
export async function openMineForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const [kept, { defaults }] = await Promise.all([
    keptTyped(invocation, options[0]),
    context.requests.memberSettings.of(caller.member.id),
  ]);
  await reply.showModal(defaultsForm(kept ?? { prompt: '', ...defaults }, context.offers.of(), texts));
}

export async function submitMineForm(invocation: Invocation<FormOptions>): Promise<void> {
  const { texts, context } = invocation;
  const typed = readDefaultsForm(invocation);
  const defaults = await orKeep(invocation, typed, ['mine'], () =>
    readDefaults(typed, context.offers.of(), texts),
  );
  await change(invocation, (settings) => ({ ...settings, defaults }));
}

export const toggleAsks = (invocation: Invocation<readonly string[]>): Promise<void> =>
  change(invocation, (settings) => ({
    ...settings,
    asksPrice: invocation.options[0] === 'on',
  }));

export const resetMine = (invocation: Invocation<readonly string[]>): Promise<void> =>
  change(invocation, (settings) => ({ ...settings, defaults: {} }));

export const pickNotify = (invocation: Invocation<SelectOptions>): Promise<void> =>
  change(invocation, ({ notify: _, ...settings }) => {
    const picked = CHOICES.find((choice) => choice === invocation.options.values[0]);
    return { ...settings, ...(picked && { notify: picked }) };
  });

/** Changes it, and shows it anew in place of what was. */
async function change(
  { caller, reply, texts, context }: Invocation,
  changed: (settings: MemberSettings) => MemberSettings,
): Promise<void> {
  await reply.update(render(await context.requests.memberSettings.change(caller.member.id, changed), texts));
}

function render({ defaults, asksPrice, notify }: MemberSettings, texts: Texts): Message {
  const { editForm, mySettings, picture } = texts;
  const names = {
    size: picture.size,
    workflow: picture.workflow,
    steps: picture.steps,
    cfg: picture.cfg,
    model: picture.model,
    negative_prompt: editForm.negativePrompt,
    ...mySettings.names,
  };
  const lines = Object.entries(names).flatMap(([name, label]) => {
    const value: unknown = Reflect.get(defaults, name);
    if (value === undefined) return [];
    const shown =
      typeof value === 'boolean' ? mySettings.yesOrNo(value) : foreignText(`${value}`, TEXT_CHARACTERS);
    return [`**${label}** ${shown}`];
  });
  return {
    embeds: [
      {
        title: mySettings.heading,
        description: lines.length > 0 ? lines.join('\n') : mySettings.nothing,
      },
    ],
    rows: [
      menuRow({
        type: ComponentType.StringSelect,
        custom_id: customId('settings', 'told'),
        options: [UNDECIDED, ...CHOICES].map((value) => ({
          value,
          label: mySettings.notify[value],
          default: value === (notify ?? UNDECIDED),
        })),
      }),
      ...rowsOf(
        button.primary(editForm.edit, customId('settings', 'mine')),
        button.secondary(mySettings.asks(asksPrice), customId('settings', 'asks', asksPrice ? 'off' : 'on')),
        lines.length > 0 ? button.secondary(mySettings.reset, customId('settings', 'reset')) : undefined,
      ),
    ],
  };
}

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
      field('size', all.picture.size, size, texts.sizeDescription),
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

function readDefaultsForm({ options: { fields, picked }, context }: Invocation<FormOptions>): ImagineOptions {
  const { negative_prompt = '', size = '', flags = '' } = fields;
  const typed = { negative_prompt, size, flags, workflow: pickedWorkflow(picked, context.offers.of()) };
  const filled = Object.entries(typed).filter(([, value]) => value.trim() !== '');
  return { prompt: '', ...Object.fromEntries(filled) };
}

/** The defaults in it. Throws `UserError` where something is none. */
function readDefaults(typed: ImagineOptions, offers: readonly Offer[], texts: Texts): MemberDefaults {
  const { options, wrong } = readTyped(typed, texts, offers);
  const { prompt: _, graph: __, seed, strength, ...defaults } = options;
  if (seed !== undefined) wrong.push(texts.mySettings.noSeed);
  if (strength !== undefined) wrong.push(texts.source.strengthAlone);
  refuseAll(wrong);
  const { count: ___, private: ____, spoiler: _____, ...submitted } = defaults;
  parseSubmission({ ...submitted, prompt: 'fox' }, texts, { offers });
  return defaults;
}
