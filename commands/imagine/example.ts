import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Invocation } from './invocation.ts';
import { requestOnce } from './request.ts';

export const exampleButton = (place: number, { help }: Texts) =>
  button.primary(help.tryExample(place + 1), customId('imagine', 'example', place));

export async function makeExample(invocation: Invocation<readonly string[]>): Promise<void> {
  const { examples } = invocation.texts.help;
  const [place = ''] = invocation.options;
  const prompt = examples[Number(place)] ?? examples[0] ?? '';
  await requestOnce(invocation, ['example', place], { prompt });
}
