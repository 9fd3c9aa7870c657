import { type APILabelComponent, type APISelectMenuComponent, ComponentType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { channels, type Mentionable, mentionables, roles, users } from './mentionables.ts';
import type { View } from './view.ts';

/** An option of a select menu or of a group of radio buttons or checkboxes. */
export interface SelectOption {
  value: string;
  label: string;
  description?: string | undefined;
  /** Selected by default. */
  selected?: boolean | undefined;
}

/** What stands beside the control of an option. */
export const optionLabel = ({ label, description }: SelectOption): TemplateResult =>
  html`<span>${label}${description ? html`<small>${description}</small>` : nothing}</span>`;

/** The options of a component; none where it has none. Users, roles and channels are those in view. */
export function selectOptions(
  view: View,
  component: APISelectMenuComponent | APILabelComponent['component'],
): SelectOption[] {
  switch (component.type) {
    case ComponentType.StringSelect:
    case ComponentType.RadioGroup:
    case ComponentType.CheckboxGroup:
      return component.options.map(({ value, label, description, default: selected }) => ({
        value,
        label,
        description,
        selected,
      }));
    case ComponentType.UserSelect:
      return selectedIn(component, users(view));
    case ComponentType.RoleSelect:
      return selectedIn(component, roles(view));
    case ComponentType.MentionableSelect:
      return selectedIn(component, mentionables(view));
    case ComponentType.ChannelSelect:
      return selectedIn(component, channels(view, component.channel_types));
    default:
      return [];
  }
}

const selectedIn = (
  { default_values: selected = [] }: { default_values?: readonly { id: string }[] },
  options: readonly Mentionable[],
): SelectOption[] =>
  options.map((option) => ({ ...option, selected: selected.some(({ id }) => id === option.value) }));

/** The `<option>` elements of a menu, after a placeholder that can be selected where no value is required. */
export function optionElements(
  options: readonly SelectOption[],
  placeholder: { text: string; selectable: boolean },
) {
  return html`<option value="" selected ?disabled=${!placeholder.selectable}>${placeholder.text}</option>
  ${options.map(
    ({ value, label, description, selected = false }) =>
      html`<option value=${value} ?selected=${selected}>${label}${description ? ` (${description})` : ''}</option>`,
  )}`;
}
