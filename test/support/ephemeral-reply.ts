import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect } from 'vitest';
import { isEphemeral, isLoading } from '../../packages/local-discord/src/page/message-flags.ts';
import { CHANNEL, sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { plainly } from './commands.ts';

/** What only its reader sees of an answer, once it is more than 'thinking'. */
export async function settled(answer: InteractionResult, user: UserClient): Promise<APIMessage> {
  const answered = messageOf(answer);
  expect(isEphemeral(answered)).toBe(true);
  return plainly(await sees(user, (message) => message.id === answered.id && !isLoading(message)));
}

/** What a command is answered with, to its reader only. */
export const run = async (user: UserClient, command: string, options = {}): Promise<APIMessage> =>
  settled(await user.invoke(CHANNEL, command, options), user);

/**
 * Fills a secret into the form that a command or a button has opened, and where it asks of moderators, says
 * `moderators`; resolves with what is answered.
 */
export async function fillIn(
  user: UserClient,
  opened: InteractionResult,
  secret: string,
  { moderators = false } = {},
): Promise<InteractionResult> {
  if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
  const asks = JSON.stringify(opened.modal).includes('"moderators"');
  return user.submitModal(opened.interactionId, {
    secret,
    ...(asks && { moderators: [moderators ? 'yes' : 'no'] }),
  });
}
