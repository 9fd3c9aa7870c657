import type { APILabelComponent } from 'discord-api-types/v10';
import { selectField } from './form-fields.ts';
import type { Texts } from './locale/en.ts';

const NAME = 'workflow';
/** In place of a workflow. */
const UNDECIDED = 'undecided';

/** Options of a select menu, by Discord's documentation ("Select Menus"). */
const MOST = 25;

/** The field of a form in which one of the workflows is picked, or none. */
export function workflowSelect(
  workflow: string | undefined,
  offers: readonly { name: string }[],
  { editForm: texts }: Texts,
): APILabelComponent {
  const offered = offers.map(({ name }) => name);
  const current = offered.find((known) => known === workflow) ?? UNDECIDED;
  const first = offered.slice(0, MOST - 1);
  const names = [UNDECIDED, ...first].includes(current) ? first : [...first.slice(0, -1), current];
  return selectField({
    name: NAME,
    label: texts.workflow,
    options: [UNDECIDED, ...names].map((value) => ({
      value,
      label: value === UNDECIDED ? texts.undecided : value,
      default: value === current,
    })),
  });
}

/** What was picked in it; empty where nothing was. */
export function pickedWorkflow(picked: Readonly<Record<string, readonly string[]>>): string {
  const [workflow = UNDECIDED] = picked[NAME] ?? [];
  return workflow === UNDECIDED ? '' : workflow;
}
