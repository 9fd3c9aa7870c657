import { type AnySelectMenuInteraction, ComponentType } from 'discord.js';
import { withoutVersion, withVersion } from './custom-id-version.ts';

/**
 * The custom id of a menu of channels or roles that is shown by this interaction: another each time, as desktops show
 * what was picked under the same id, whatever the menu holds by now (discord/discord-api-docs#7536).
 */
export const shownAnew = (customId: string, interactionId: string): string =>
  withVersion(withoutVersion(customId), interactionId);

/** What a menu showed as picked before somebody picked in it; nothing where its message shows no such menu. */
export function shownAsPicked({
  component,
}: {
  component: AnySelectMenuInteraction['component'] | null;
}): string[] {
  if (component === null) return [];
  const menu = 'toJSON' in component ? component.toJSON() : component;
  return menu.type === ComponentType.StringSelect
    ? menu.options.filter((option) => option.default).map(({ value }) => value)
    : (menu.default_values ?? []).map(({ id }) => id);
}

/** The components of the message that a menu stands under, so that the menu shows no pick. */
export function withoutPick({ message, customId, id, componentType }: AnySelectMenuInteraction) {
  const rows = message.components.map((row) => row.toJSON());
  if (componentType === ComponentType.StringSelect) return rows;
  const anew = shownAnew(customId, id);
  return rows.map((row) =>
    row.type === ComponentType.ActionRow
      ? {
          ...row,
          components: row.components.map((one) =>
            'custom_id' in one && one.custom_id === customId ? { ...one, custom_id: anew } : one,
          ),
        }
      : row,
  );
}
