import { ComponentType } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { run } from './ephemeral-reply.ts';

/** A button of the page by the beginning of its custom id; undefined where it cannot be pressed. */
function turning({ components = [] }: APIMessage, towards: string): string | undefined {
  const buttons = components.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []));
  const found = buttons.find(
    (one) => 'custom_id' in one && one.custom_id.startsWith(`jobs:page:${towards}:`),
  );
  return found && 'custom_id' in found && !found.disabled ? found.custom_id : undefined;
}

/** The next page in place of this one, or the one before; undefined where there is none. */
export async function turned(
  user: UserClient,
  page: APIMessage,
  towards: 'older' | 'newer' = 'older',
): Promise<APIMessage | undefined> {
  const id = turning(page, towards);
  if (id === undefined) return undefined;
  await user.press(page.id, id);
  return sees(user, (message) => message.id === page.id && turning(message, towards) !== id);
}

/** Every job that `/jobs` lists for this person, page by page. */
export async function everyJob(user: UserClient): Promise<{ text: string; color: number | undefined }[]> {
  const listed: { text: string; color: number | undefined }[] = [];
  for (let page: APIMessage | undefined = await run(user, 'jobs'); page; page = await turned(user, page))
    listed.push(...page.embeds.map(({ description = '', color }) => ({ text: description, color })));
  return listed;
}
