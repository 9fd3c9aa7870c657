import { MessageFlags } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect } from 'vitest';
import type { Answer, Hand } from '../../src/local-discord/hand/hand.ts';
import { CHANNEL, sees } from './local-discord.ts';

/** What only its reader sees of an answer, once it is more than 'thinking'. */
export async function settled(answer: Answer, hand: Hand): Promise<APIMessage> {
  if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
  expect(Number(answer.message.flags) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  return sees(
    hand,
    ({ id, flags }) => id === answer.message.id && (Number(flags) & MessageFlags.Loading) === 0,
  );
}

/** What a command is answered with, to its reader only. */
export const run = async (hand: Hand, command: string, options = {}): Promise<APIMessage> =>
  settled(await hand.invoke(CHANNEL, command, options), hand);

/** Fills a secret into the form that a command or a button has opened; resolves with what is answered. */
export async function fillIn(hand: Hand, opened: Answer, secret: string): Promise<Answer> {
  if (opened.kind !== 'modal') throw new Error(`answered with ${JSON.stringify(opened)}`);
  return hand.submitModal(opened.interactionId, { secret });
}
