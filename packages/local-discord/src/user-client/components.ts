import { ComponentType } from 'discord-api-types/v10';
import { type AnyComponent, loosely, walk } from '../rules/components.ts';
import type { Message } from '../state/state.ts';
import { countRefusal } from './input-checks.ts';
import type { Resolved } from './resolved.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';

export function findComponent({ components }: Message, customId: string): AnyComponent {
  for (const { component } of walk(loosely(components), [])) {
    if (component.custom_id !== customId) continue;
    if (component.disabled) throw new UserClientError('forbidden', 'disabled', {}, customId);
    return component;
  }
  throw new UserClientError('unknown', 'unknownComponent', { name: customId }, customId);
}

/** Checks the values that were picked in a select menu or a group, and looks up those that are ids. */
export function pickValues(select: AnyComponent, values: readonly string[], resolved: Resolved): string[] {
  const picked = [...new Set(values)];
  throwIfRefused(countRefusal(select, picked.length), select.custom_id ?? undefined);
  for (const value of picked) {
    if (!isChoice(select, value, resolved)) {
      throw new UserClientError('invalid', 'unknown', { name: value }, select.custom_id ?? undefined);
    }
  }
  return picked;
}

function isChoice(select: AnyComponent, value: string, resolved: Resolved): boolean {
  switch (select.type) {
    case ComponentType.UserSelect:
      return resolved.user(value);
    case ComponentType.RoleSelect:
      return resolved.role(value);
    case ComponentType.MentionableSelect:
      return resolved.user(value) || resolved.role(value);
    case ComponentType.ChannelSelect:
      return resolved.channel(value, select.channel_types);
    default:
      return select.options?.some((option) => option.value === value) ?? false;
  }
}
