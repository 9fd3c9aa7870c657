import { OperatorError } from '@darkroom/process';

interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string | undefined;
}

/**
 * How somebody is asked, and told what was found. Every question rejects with `Stopped` where they would rather not
 * go on; without anybody to ask, with an `OperatorError` that says what is missing.
 */
export interface Ask {
  /** Whether there is somebody to ask. */
  readonly isAttended: boolean;
  /** A heading. */
  topic(words: string): void;
  /** Something to know. */
  tell(words: string): void;
  /** What is as it should be. */
  right(words: string): void;
  /** What is not, and what mends it. */
  wrong(words: string): void;
  choose<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** `problem` says what is wrong with a text that is not taken. */
  text(
    message: string,
    options: { initial?: string | undefined; problem: (text: string) => string | undefined },
  ): Promise<string>;
  /** As `text`, without showing it. */
  secret(message: string, options: { problem: (text: string) => string | undefined }): Promise<string>;
  confirm(message: string): Promise<boolean>;
  /**
   * Shows that something is going on, and how far it is, while `work` runs. Its signal aborts where they press
   * Ctrl-C; what it resolves with is lost then.
   */
  during<Result>(
    message: string,
    work: (progress: (words: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

/** Whoever was asked has pressed Ctrl-C. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * What `work` resolves with. Where it rejects with an `OperatorError`, that is said, and it is done again as long as
 * somebody says so; where they would not, it rejects with `Stopped`.
 */
export async function untilDone<Result>(
  work: () => Promise<Result>,
  { ask, question }: { ask: Ask; question: string },
): Promise<Result> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OperatorError) || !ask.isAttended) throw error;
      ask.wrong(error.message);
      if (!(await ask.confirm(question))) throw new Stopped();
    }
  }
}
