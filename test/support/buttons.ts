import { ActionRowBuilder, ButtonBuilder, ButtonStyle, ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';

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

/** Presses More under a message; resolves with what its reader sees then, which holds the buttons that did not fit. */
export async function underMore(message: APIMessage, user: UserClient): Promise<APIMessage> {
  const [id = ''] = /imagine:more:\d+:\d+/.exec(JSON.stringify(message.components)) ?? [];
  await user.press(message.id, id);
  return sees(
    user,
    ({ message_reference: to, content }) =>
      to?.message_id === message.id && [en.actions.moreOfIt, en.actions.noMore].includes(content),
  );
}

/** Deletes a message by its Delete button, and says yes to the question. */
export async function deleteBy(message: APIMessage, user: UserClient): Promise<void> {
  const question = await askedToDelete(message, user);
  await user.press(question.id, buttonOf(question, en.actions.delete));
}

/** The question that Delete asks, under the picture or behind its More. */
export async function askedToDelete(message: APIMessage, user: UserClient): Promise<APIMessage> {
  const isThere = JSON.stringify(message.components).includes('imagine:delete:');
  const shown = isThere ? message : await underMore(message, user);
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
