import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APISelectMenuComponent,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';

/** Buttons in a row, by Discord's documentation ("Component Reference"). */
const ROW = 5;

/** A row of a message: buttons, or a menu. */
export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** A button that a command declares. */
export type Button = APIButtonComponentWithCustomId;

/** A custom id that survives restarts: `command:name:arg:…`, at most 100 characters. Without what is undefined. */
export const customId = (
  command: string,
  name: string,
  ...args: readonly (string | number | undefined)[]
): string => [command, name, ...args].filter((part) => part !== undefined).join(':');

const buttonOf =
  (style: Button['style']) =>
  (label: string, custom_id: string): Button => ({ type: ComponentType.Button, style, label, custom_id });

export const button = {
  primary: buttonOf(ButtonStyle.Primary),
  secondary: buttonOf(ButtonStyle.Secondary),
  danger: buttonOf(ButtonStyle.Danger),
};

/** Buttons as a message takes them; those that are not offered are left out. */
export function rowsOf(...buttons: (Button | undefined)[]): APIActionRowComponent<Button>[] {
  const offered = buttons.filter((one) => one !== undefined);
  return Array.from({ length: Math.ceil(offered.length / ROW) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: offered.slice(row * ROW, (row + 1) * ROW),
  }));
}

/** A menu, which takes a row of its own. */
export const menuRow = (menu: APISelectMenuComponent): Row => ({
  type: ComponentType.ActionRow,
  components: [menu],
});
