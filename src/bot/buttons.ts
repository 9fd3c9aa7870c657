import { ButtonStyle, ComponentType } from 'discord.js';
import type { APIActionRowComponent, APIButtonComponentWithCustomId } from 'discord-api-types/v10';
import type { Texts } from './locale/en.ts';

/** Buttons in a row, by Discord's documentation ("Component Reference"). */
const ROW = 5;

/** A button that a command declares. */
export type Button = APIButtonComponentWithCustomId;

/** A custom id that survives restarts: `command:name:part:…`, at most 100 characters. */
export const customId = (command: string, name: string, ...parts: readonly string[]): string =>
  [command, name, ...parts].join(':');

export const button = (style: Button['style'], label: string, custom_id: string): Button => ({
  type: ComponentType.Button,
  style,
  label,
  custom_id,
});

/** Buttons as a message takes them. */
export const rowsOf = (...buttons: Button[]): APIActionRowComponent<Button>[] =>
  Array.from({ length: Math.ceil(buttons.length / ROW) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(row * ROW, (row + 1) * ROW),
  }));

/**
 * Whose key a command is about: their server's, or the caller's own, with its credits `visible` to moderators, `hidden`
 * from them, or as they last were. Stands in custom ids.
 */
export type KeyScope = 'own' | 'visible' | 'hidden' | 'server';

/** The next step where a key is missing or was not accepted: opens the form for one. */
export const linkKey = ({ failure: { remedy } }: Texts, scope: KeyScope = 'own'): Button =>
  button(
    ButtonStyle.Primary,
    scope === 'server' ? remedy.linkForServer : remedy.link,
    customId('apikey', 'ask', scope),
  );

/** The next step where credits are missing, or may have been taken. */
export const showBalance = ({ failure }: Texts): Button =>
  button(ButtonStyle.Primary, failure.remedy.balance, customId('balance', 'own'));

/** Asks once more for what a job was asked for. */
export const askAgain = (label: string, jobId: string): Button =>
  button(ButtonStyle.Secondary, label, customId('imagine', 'again', jobId));

/** Deletes the message it stands under: for its member and for moderators. */
export const deleteOutcome = ({ picture }: Texts, memberId: string): Button =>
  button(ButtonStyle.Danger, picture.delete, customId('imagine', 'delete', memberId));
