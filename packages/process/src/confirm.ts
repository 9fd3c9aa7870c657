import { createInterface } from 'node:readline/promises';
import { OperatorError } from './operator-error.ts';

/** How long an operator may take to answer. */
const PATIENCE_MS = 10 * 60_000;

/** Asks the operator something; resolves where the answer is `expected`, and throws `OperatorError` for any other. */
export type Confirm = (question: string, expected: string) => Promise<void>;

/** Asks on the terminal; where there is none, nobody can be asked. */
export const confirmOnTerminal: Confirm = async (question, expected) => {
  if (!process.stdin.isTTY) throw new OperatorError('There is no terminal to confirm this on. Add --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal
      .question(question, { signal: AbortSignal.timeout(PATIENCE_MS) })
      .catch(() => '');
    if (answer.trim() !== expected) throw new OperatorError('That is something else. Nothing was changed.');
  } finally {
    terminal.close();
  }
};
