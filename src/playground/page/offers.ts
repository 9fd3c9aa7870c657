import { type APILabelComponent, type APISelectMenuComponent, ComponentType } from 'discord-api-types/v10';
import { html, nothing } from 'lit';
import { channels, mentionables, people, roles } from './mentionables.ts';
import type { View } from './view.ts';

/** One thing that may be picked. */
export interface Offer {
  value: string;
  label: string;
  description?: string | undefined;
  /** Picked before anybody touched it. */
  chosen?: boolean | undefined;
}

/** What a component lets one pick from, nothing where nothing is picked. Users, roles and channels are those in view. */
export function offersOf(view: View, it: APISelectMenuComponent | APILabelComponent['component']): Offer[] {
  switch (it.type) {
    case ComponentType.StringSelect:
    case ComponentType.RadioGroup:
    case ComponentType.CheckboxGroup:
      return it.options.map(({ value, label, description, default: chosen }) => ({
        value,
        label,
        description,
        chosen,
      }));
    case ComponentType.UserSelect:
      return people(view);
    case ComponentType.RoleSelect:
      return roles(view);
    case ComponentType.MentionableSelect:
      return mentionables(view);
    case ComponentType.ChannelSelect:
      return channels(view);
    default:
      return [];
  }
}

/** The lines of a menu. `nothingYet` stands first where one thing is picked, and can be picked again where nothing has to be. */
export function menuLines(offers: readonly Offer[], nothingYet: { text: string; pickable: boolean } | null) {
  return html`${
    nothingYet
      ? html`<option value="" selected ?disabled=${!nothingYet.pickable}>${nothingYet.text}</option>`
      : nothing
  }
  ${offers.map(
    ({ value, label, description, chosen = false }) =>
      html`<option value=${value} ?selected=${chosen}>${label}${description ? ` (${description})` : ''}</option>`,
  )}`;
}
