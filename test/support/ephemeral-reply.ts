import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect } from 'vitest';
import { CHANNEL, sees } from '../../packages/local-discord/test/support/local-discord.ts';
import { plainly } from './commands.ts';

/** What only its reader sees of an answer, once it is more than 'thinking'. */
export async function settled(answer: InteractionResult, user: UserClient): Promise<APIMessage> {
  if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
  expect(Number(answer.message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  const message = await sees(
    user,
    ({ id, flags }) => id === answer.message.id && (Number(flags) & MessageFlags.Loading) === 0,
  );
  return plainly(message);
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
