import type { Button } from './buttons.ts';

interface UserErrorOptions extends ErrorOptions {
  /** Offered under the message; the most sensible first. */
  nextSteps?: readonly (Button | undefined)[];
  /** It is refused because of the place or the member: nothing that could be typed instead helps. */
  isOfPlace?: boolean;
  /** What was typed is kept already: a next step goes on with it. */
  isKept?: boolean;
}

/** Our own words, safe to show to the person who caused it; `message` is already in their language. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly nextSteps: readonly (Button | undefined)[];
  readonly isOfPlace: boolean;
  readonly isKept: boolean;

  constructor(
    message: string,
    { nextSteps = [], isOfPlace = false, isKept = false, ...options }: UserErrorOptions = {},
  ) {
    super(message, options);
    this.nextSteps = nextSteps;
    this.isOfPlace = isOfPlace;
    this.isKept = isKept;
  }
}

/** Throws one `UserError` that says everything that is wrong, where anything is. */
export function refuseAll(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new UserError([...new Set(wrong)].join('\n'));
}

/** What it resolves with; undefined where it rejects with a `UserError`. */
export const unlessRefused = <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });

/** What `read` reads; undefined where it throws a `UserError`, whose words are then among what is `wrong`. */
export function readOrNote<Value>(read: () => Value, wrong: string[]): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    wrong.push(error.message);
    return undefined;
  }
}
