import { type APIStringSelectComponent, ComponentType } from 'discord.js';
import type { SelectOptions } from '../../src/bot/command.ts';
import { paymentOf } from '../../src/bot/payment.ts';
import { drawnIn, type Input, inputFor } from '../../src/jobs/input.ts';
import type { Parent } from '../../src/jobs/job.ts';
import { mostPixels, type Size } from '../../src/limits/size.ts';
import { type Button, button, customId, menuRow, type Row, rowsOf } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions, Source } from '../../src/requests/imagine-options.ts';
import { mayBecome, offersFor, type PictureOperation } from '../../src/requests/offers.ts';
import { inputOf, isOfBlocked, withOrigin } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf } from './options-of-job.ts';
import { requestOnce } from './request.ts';
import { parentOf, shownJob } from './shown-job.ts';
import { varyButton } from './vary.ts';

interface InputPicture {
  /** Of a job; of a picture of one's own, of the draft that keeps it. */
  id: string;
  /** The index of a task of that job, as a custom id names it; or `OWN`. */
  task: string;
  input: Input;
  /** The words that it was made from; empty where there were none. */
  prompt: string;
  /** What is made of it comes from there. */
  parent?: Parent;
}

/** In place of a task, where the picture is one's own. */
export const OWN = 'own';

/** What a press makes of a picture at once. */
const ACTIONS = {
  '2x': { operation: 'upscale', scale: 2 },
  '4x': { operation: 'upscale', scale: 4 },
  background: { operation: 'remove_background' },
} as const satisfies Record<string, Omit<Source, 'input'>>;
type Action = keyof typeof ACTIONS;

const isAction = (name: string): name is Action => Object.hasOwn(ACTIONS, name);

export function actionButton(id: string, task: string, action: Action, { source }: Texts): Button {
  const label = action === 'background' ? source.removeBackground : source.upscale(ACTIONS[action].scale);
  return button.secondary(label, customId('imagine', 'of', id, task, action));
}

/** The sides to which a picture can go on. Half of it is added, all around a quarter on each side. */
const SIDES = ['left', 'right', 'up', 'down', 'around', 'square'] as const;
type Side = (typeof SIDES)[number];

/** The sizes that every engine draws. */
const STEP = 8;

const share = (pixels: number, part: number): number => Math.ceil((pixels * part) / STEP) * STEP;

/** What is added on each side; nothing where a picture is a square already. */
function marginsOf(side: Side, { width, height }: Size): NonNullable<Source['expand']> {
  const [more, less] = [Math.max(width, height), Math.min(width, height)];
  const [first, second] = [Math.floor((more - less) / 2), Math.ceil((more - less) / 2)];
  const across = share(width, 1 / 4);
  const along = share(height, 1 / 4);
  return {
    left: { left: share(width, 1 / 2) },
    right: { right: share(width, 1 / 2) },
    up: { top: share(height, 1 / 2) },
    down: { bottom: share(height, 1 / 2) },
    around: { left: across, right: across, top: along, bottom: along },
    square: width < height ? { left: first, right: second } : { top: first, bottom: second },
  }[side];
}

function sidesOf({ width, height }: Input, most: number | undefined): Side[] {
  if (width === undefined || height === undefined) return [];
  return SIDES.filter((side) => {
    const { left = 0, right = 0, top = 0, bottom = 0 } = marginsOf(side, { width, height });
    const result = { width: width + left + right, height: height + top + bottom };
    return left + right + top + bottom > 0 && mayBecome(result, most);
  });
}

function expandMenu(
  { id, task, input }: Pick<InputPicture, 'id' | 'task' | 'input'>,
  { source }: Texts,
  most: number | undefined,
): APIStringSelectComponent | undefined {
  const sides = sidesOf(input, most);
  if (sides.length === 0) return undefined;
  return {
    type: ComponentType.StringSelect,
    custom_id: customId('imagine', 'expand', id, task),
    placeholder: source.expand,
    options: sides.map((side) => ({ label: source.sides[side], value: side })),
  };
}

/** What its reader can make of a picture here; what the image service or the server does not offer is undefined. */
type PictureActions = Awaited<ReturnType<typeof pictureActionsOf>>;

export async function pictureActionsOf(
  invocation: Invocation,
  { id, task, input, prompt, parent }: InputPicture,
) {
  const { caller, texts, context } = invocation;
  const [settings, { credential }, isBlocked] = await Promise.all([
    context.guilds.guildSettings.of(caller.guildId),
    paymentOf(invocation),
    withOrigin(invocation, { parent, input }).then((traced) => isOfBlocked(invocation, traced)),
  ]);
  const offers = context.offers.of(settings.workflows);
  const reached = credential ? inputFor(credential.payer, input) : input;
  const named = isBlocked ? undefined : reached;
  const most = mostPixels([context.requests.limits.bounds, settings]);
  const { width = 0, height = 0 } = input;
  const can = (operation: PictureOperation, { scale = 1, strength = false } = {}) =>
    named !== undefined &&
    mayBecome({ width: width * scale, height: height * scale }, most) &&
    offersFor(operation, offers, { drawnIn: drawnIn(named), strength }).length > 0;
  const buttonOf = (action: Action, isOffered: boolean) =>
    isOffered ? actionButton(id, task, action, texts) : undefined;
  const varies = task !== OWN && prompt.trim() !== '' && can('edit', { strength: true });
  return {
    upscale: buttonOf('2x', can('upscale', { scale: 2 })),
    upscaleMore: buttonOf('4x', can('upscale', { scale: 4 })),
    varySubtly: varies ? varyButton(id, Number(task), 'subtly', texts) : undefined,
    varyStrongly: varies ? varyButton(id, Number(task), 'strongly', texts) : undefined,
    removeBackground: buttonOf('background', can('remove_background')),
    expand: can('expand') ? expandMenu({ id, task, input }, texts, most) : undefined,
    /** Whether words can say what is to change. */
    edits: can('edit'),
  };
}

/**
 * The picture that the buttons of `PictureActions` name, with what was asked for it. Rejects with `UserError` where
 * it is gone.
 */
export async function inputPictureOf(
  invocation: Invocation,
  id: string,
  task: string,
): Promise<InputPicture & { asked: Partial<ImagineOptions> }> {
  const { caller, texts, context } = invocation;
  if (task === OWN) {
    const draft = await context.requests.drafts.find(id, caller.member.id);
    if (!draft?.options.source) throw new UserError(texts.source.forgotten);
    const { input } = draft.options.source;
    return { id, task, input, prompt: '', asked: {} };
  }
  const index = Number(task);
  const job = await shownJob(invocation, id);
  const asked = optionsOf(job, { task: index });
  return {
    id,
    task,
    input: inputOf(invocation, job, index),
    prompt: asked.prompt,
    asked,
    parent: parentOf(invocation, job, index),
  };
}

export async function takeAction(invocation: Invocation<readonly string[]>): Promise<void> {
  const [id = '', task = '', action = ''] = invocation.options;
  if (!isAction(action)) throw new UserError(invocation.texts.refusal.unknownComponent);
  await make(invocation, id, task, action, () => ACTIONS[action]);
}

/** Makes a picture wider or higher by what was picked. */
export async function expandPicture(invocation: Invocation<SelectOptions>): Promise<void> {
  const { options, texts } = invocation;
  const [id = '', task = ''] = options.args;
  const side = SIDES.find((one) => one === options.values[0]);
  if (!side) throw new UserError(texts.refusal.unknownComponent);
  const expanded = ({ width, height }: Input) => {
    if (width === undefined || height === undefined) throw new UserError(texts.source.noSize);
    if (side === 'square' && width === height) throw new UserError(texts.source.isSquare);
    return { operation: 'expand' as const, expand: marginsOf(side, { width, height }) };
  };
  await make(invocation, id, task, side, expanded);
}

async function make(
  invocation: Invocation,
  id: string,
  task: string,
  what: string,
  made: (input: Input) => Omit<Source, 'input'>,
): Promise<void> {
  const { input, prompt, asked, parent } = await inputPictureOf(invocation, id, task);
  const source = { ...made(input), input };
  const typed: ImagineOptions = {
    prompt,
    ...(await drawnAlike(invocation, source, asked)),
    count: 1,
    private: asked.private,
    spoiler: asked.spoiler,
    source,
  };
  await requestOnce(invocation, ['of', id, task, what], typed, { parent, repeats: true });
}

/** How a picture was drawn, for what goes on with it; nothing where another workflow does. */
async function drawnAlike(
  { caller, context }: Invocation,
  { operation, input }: Source,
  { workflow, negative_prompt, steps, cfg, model }: Partial<ImagineOptions>,
): Promise<Partial<ImagineOptions>> {
  if (operation !== 'expand' || workflow === undefined) return {};
  const { workflows } = await context.guilds.guildSettings.of(caller.guildId);
  const [offer] = offersFor(operation, context.offers.of(workflows), { drawnIn: drawnIn(input) });
  return offer?.name === workflow ? { workflow, negative_prompt, steps, cfg, model } : {};
}

/**
 * Everything that can be made of one picture, at most four rows of it. The others are those of the place where it
 * stands.
 */
export function rowsOfActions(
  { upscale, upscaleMore, varySubtly, varyStrongly, removeBackground, expand }: Omit<PictureActions, 'edits'>,
  others: {
    vary?: Button;
    edit?: Button | undefined;
    again?: Button | undefined;
    alone?: Button | undefined;
  },
): Row[] {
  return [
    ...rowsOf(upscale, upscaleMore, varySubtly ?? others.vary, varyStrongly, removeBackground),
    ...(expand ? [menuRow(expand)] : []),
    ...rowsOf(others.edit, others.again, others.alone),
  ];
}
