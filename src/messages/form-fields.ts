import { type APILabelComponent, ComponentType, TextInputStyle } from 'discord-api-types/v10';
import type { Texts } from './locale/en.ts';
import { truncate } from './message.ts';

interface Field {
  /** By which it is found among what was sent. */
  name: string;
  label: string;
  description?: string | undefined;
  required?: boolean;
}

/** A field of a form in which something is typed: one line of it unless `long`. */
export const textField = ({
  name,
  label,
  description,
  required = false,
  long = false,
  characters,
  value = '',
  placeholder,
}: Field & {
  long?: boolean;
  /** As many as it takes. */
  characters: number;
  /** What is filled in. */
  value?: string | undefined;
  placeholder?: string | undefined;
}): APILabelComponent => {
  // Discord refuses a form with several lines in such a field.
  const filled = long ? value : value.replace(/[\r\n]+/g, ' ');
  return {
    type: ComponentType.Label,
    label,
    ...(description !== undefined && { description }),
    component: {
      type: ComponentType.TextInput,
      custom_id: name,
      style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
      required,
      max_length: characters,
      ...(filled !== '' && { value: filled }),
      ...(placeholder !== undefined && { placeholder }),
    },
  };
};

/** One of a menu. `description`: below its label, 100 characters at most. */
export interface SelectOption {
  value: string;
  label: string;
  description?: string;
}

/** One in which one of its options is picked: the `default` one unless another is, or none where it need not be. */
export const selectField = ({
  name,
  label,
  description,
  required = false,
  options,
}: Field & {
  options: (SelectOption & { default: boolean })[];
}): APILabelComponent => ({
  type: ComponentType.Label,
  label,
  ...(description !== undefined && { description }),
  component: {
    type: ComponentType.StringSelect,
    custom_id: name,
    required,
    ...(!required && { min_values: 0 }),
    options,
  },
});

const WORKFLOW = 'workflow';

/** In a menu, for what is not decided. No workflow may be called so. */
export const UNDECIDED = '-';

/** Options of a select menu, and characters of each label and description: Discord's documentation, "Select Menus". */
export const MOST_OPTIONS = 25;
export const OPTION_CHARACTERS = 100;

type PricedOffer = { name: string; cost?: number | undefined };

/** A workflow in a menu, with its price where it is known. */
export function workflowOption(
  workflow: string,
  offers: readonly PricedOffer[],
  { picture }: Texts,
): SelectOption {
  const cost = offers.find(({ name }) => name === workflow)?.cost;
  return {
    value: workflow,
    label: workflow,
    ...(cost !== undefined && { description: truncate(picture.usualPrice(cost), OPTION_CHARACTERS) }),
  };
}

/** The field of a form in which one of the workflows is picked, or none. */
export function workflowSelect(
  workflow: string | undefined,
  offers: readonly PricedOffer[],
  texts: Texts,
): APILabelComponent {
  const offered = offers.map(({ name }) => name);
  const current = offered.find((known) => known === workflow) ?? UNDECIDED;
  const first = offered.slice(0, MOST_OPTIONS - 1);
  const names = [UNDECIDED, ...first].includes(current) ? first : [...first.slice(0, -1), current];
  return selectField({
    name: WORKFLOW,
    label: texts.picture.workflow,
    options: [
      { value: UNDECIDED, label: texts.editForm.undecided },
      ...names.map((name) => workflowOption(name, offers, texts)),
    ].map((option) => ({ ...option, default: option.value === current })),
  });
}

/** What is picked there; empty where none is. */
export function pickedWorkflow(
  picked: Readonly<Record<string, readonly string[]>>,
  offers: readonly PricedOffer[],
): string {
  const [workflow = UNDECIDED] = picked[WORKFLOW] ?? [];
  // A form of an earlier version says so that none is picked: it may have been opened before an upgrade.
  const isOfBefore = workflow === 'undecided' && offers.every(({ name }) => name !== workflow);
  return workflow === UNDECIDED || isOfBefore ? '' : workflow;
}
