import { ButtonStyle } from 'discord.js';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Invocation } from './invocation.ts';
import { request } from './request.ts';

/** The button that makes a picture of one of the prompts that show how it goes. */
export const exampleButton = (nth: number, { help }: Texts) =>
  button(ButtonStyle.Success, help.tryExample(nth + 1), customId('imagine', 'example', `${nth}`));

/** Pressed twice in a moment, once. */
export async function makeExample(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const { examples } = texts.help;
  const [nth = ''] = options;
  const prompt = examples[Number(nth)] ?? examples[0] ?? '';
  const make = () => request(invocation, { prompt });
  if (!(await context.pictures.presses.once(`${caller.member.id}:example:${nth}`, make)))
    await reply.acknowledge();
}
