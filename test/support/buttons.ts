import { ActionRowBuilder, ButtonBuilder, ButtonStyle, ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { plain } from './commands.ts';

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

/** Presses the button with this label twice at once; resolves with both first answers. */
export const pressedTwice = (
  message: APIMessage,
  label: string,
  user: UserClient,
): Promise<InteractionResult[]> => {
  const press = () => user.press(message.id, buttonOf(message, label));
  return Promise.all([press(), press()]);
};

/** Presses More under a message; resolves with what its reader sees then: details, and what else they may do. */
export async function underMore(message: APIMessage, user: UserClient): Promise<APIMessage> {
  const [id = ''] = /imagine:more:[\d:]+/.exec(JSON.stringify(message.components)) ?? [];
  await user.press(message.id, id);
  return sees(
    user,
    ({ message_reference: to, embeds, content }) =>
      to?.message_id === message.id &&
      (embeds[0]?.title === en.actions.details || plain(content) === en.actions.gone),
  );
}

/** Picks one of several pictures in the menu under them; resolves with what its reader sees then. */
export async function picked(message: APIMessage, user: UserClient, nth: number): Promise<APIMessage> {
  const [id = ''] = /imagine:pick:\d+/.exec(JSON.stringify(message.components)) ?? [];
  await user.select(message.id, id, [`${nth - 1}`]);
  return sees(
    user,
    ({ message_reference: to, content }) => to?.message_id === message.id && content === en.actions.nth(nth),
  );
}

/** Deletes a message by its Delete button, and says yes to the question. */
export async function deleteBy(message: APIMessage, user: UserClient): Promise<void> {
  const question = await askedToDelete(message, user);
  await user.press(question.id, buttonOf(question, en.actions.delete));
}

/** The question that Delete asks, behind the More of a picture. */
export async function askedToDelete(message: APIMessage, user: UserClient): Promise<APIMessage> {
  const shown = await underMore(message, user);
  await user.press(shown.id, buttonOf(shown, en.actions.delete));
  return sees(
    user,
    ({ content, components }) =>
      content.includes(message.id) && JSON.stringify(components).includes('imagine:remove:'),
  );
}

/** A row of buttons, each with its custom id as its label. */
export const buttonRow = (...ids: string[]) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    ids.map((id) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Primary)),
  );
