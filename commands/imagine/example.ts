import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Invocation } from './invocation.ts';
import { requestOnce } from './request.ts';

export const exampleButton = (nth: number, { help }: Texts) =>
  button.primary(help.tryExample(nth + 1), customId('imagine', 'example', nth));

export async function makeExample(invocation: Invocation<readonly string[]>): Promise<void> {
  const { examples } = invocation.texts.help;
  const [nth = ''] = invocation.options;
  const prompt = examples[Number(nth)] ?? examples[0] ?? '';
  await requestOnce(invocation, ['example', nth], { prompt });
}
