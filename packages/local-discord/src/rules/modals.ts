import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { checkEach, loosely, walk } from './components.ts';
import { createFormErrors } from './form-errors.ts';

/** Source: 'Receiving and Responding', modal. Its schema allows 40. */
const MAX_COMPONENTS = 5;

export function checkModal(modal: APIModalInteractionResponseCallbackData): void {
  const errors = createFormErrors();
  if (modal.components.length > MAX_COMPONENTS) {
    errors.add(
      ['data', 'components'],
      'BASE_TYPE_BAD_LENGTH',
      `Must be between 1 and ${MAX_COMPONENTS} in length.`,
    );
  }
  const all = [...walk(loosely(modal.components), ['data', 'components'])];
  checkEach(errors, all, { required: true });
  for (const { component, path } of all) {
    if (component.disabled) errors.add([...path, 'disabled'], 'COMPONENT_DISABLED_IN_MODAL');
  }
  errors.throwIfAny();
}
