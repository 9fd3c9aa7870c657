import { WORKFLOWS } from '@darkroom/image-api';
import { type APILabelComponent, ComponentType } from 'discord.js';
import type { Texts } from './locale/en.ts';

const NAME = 'workflow';
/** In place of a workflow. */
const UNDECIDED = 'undecided';

/** The field of a form in which a workflow is picked, or none. */
export function workflowSelect(workflow: string | undefined, { editForm: texts }: Texts): APILabelComponent {
  const current = WORKFLOWS.find((known) => known === workflow) ?? UNDECIDED;
  return {
    type: ComponentType.Label,
    label: texts.workflow,
    component: {
      type: ComponentType.StringSelect,
      custom_id: NAME,
      required: true,
      options: [UNDECIDED, ...WORKFLOWS].map((value) => ({
        value,
        label: value === UNDECIDED ? texts.undecided : value,
        default: value === current,
      })),
    },
  };
}

/** What was picked in it; empty where nothing was. */
export function pickedWorkflow(picked: Readonly<Record<string, readonly string[]>>): string {
  const [workflow = UNDECIDED] = picked[NAME] ?? [];
  return workflow === UNDECIDED ? '' : workflow;
}
