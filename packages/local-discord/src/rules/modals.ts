import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { type AnyComponent, checkEach, loosely, walk } from './components.ts';
import { createFormErrors, type FormErrors, type Path } from './form-errors.ts';

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
    if (component.type === ComponentType.TextInput) checkFilledIn(errors, component, path);
  }
  errors.throwIfAny();
}

/** What a text input is filled in with. Source: discordjs/discord.js#10805; of lines, discord-net/Discord.Net#2789. */
function checkFilledIn(errors: FormErrors, { style, value }: AnyComponent, path: Path): void {
  if (value === '') errors.add([...path, 'value'], 'BASE_TYPE_MIN_LENGTH', 'Must be 1 or more in length.');
  if (style === TextInputStyle.Short && value?.includes('\n')) {
    errors.add([...path, 'value'], 'COMPONENT_VALIDATION_FAILED');
  }
}
