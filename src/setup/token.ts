import { tokenProblem } from '../discord-token.ts';
import type { StepContext } from './step.ts';

/** `given`, where it may be a bot's token; else what is wrong with it is said, and it is asked for. */
export async function askToken(
  given: string | undefined,
  { ask, words: { discord } }: Pick<StepContext, 'ask' | 'words'>,
): Promise<string> {
  const problem = (text: string) => {
    const found = tokenProblem(text);
    return found && discord.isNoToken(found);
  };
  const wrong = given === undefined ? undefined : problem(given);
  if (wrong !== undefined) ask.wrong(wrong);
  return given === undefined || wrong !== undefined ? ask.secret(discord.token, { problem }) : given;
}
