import type { APIMessage } from 'discord-api-types/v10';
import type { InteractionResult } from '../../src/index.ts';

/** The message that an interaction was answered with. */
export function messageOf(answer: InteractionResult): APIMessage {
  if (answer.kind !== 'message') throw new Error(`answered with ${JSON.stringify(answer)}`);
  return answer.message;
}
