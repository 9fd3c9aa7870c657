import { ButtonStyle } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { request } from './request.ts';

/** Makes a picture of one of the prompts that show how it goes. */
export const exampleButton = (nth: number, { help }: Texts) =>
  button(ButtonStyle.Success, help.tryExample(nth + 1), customId('imagine', 'example', `${nth}`));

export async function makeExample(invocation: Invocation<readonly string[]>): Promise<void> {
  const { examples } = invocation.texts.help;
  const prompt = examples[Number(invocation.options[0])] ?? examples[0] ?? '';
  await request(invocation, { prompt });
}
