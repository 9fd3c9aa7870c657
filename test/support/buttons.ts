import { ActionRowBuilder, ButtonBuilder, ButtonStyle, ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';

/** The custom id of the button with this label. */
export function buttonOf({ components = [] }: APIMessage, label: string): string {
  for (const row of components) {
    if (row.type !== ComponentType.ActionRow) continue;
    for (const component of row.components) {
      if ('custom_id' in component && 'label' in component && component.label === label)
        return component.custom_id;
    }
  }
  throw new Error(`no button ${label}`);
}

/** A row of buttons, each with its custom id as its label. */
export const buttonRow = (...ids: string[]) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    ids.map((id) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Primary)),
  );
