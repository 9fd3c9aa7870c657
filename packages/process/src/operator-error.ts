/** What `error` says, for a sentence that goes on to say what to do. Anything may be thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Something that whoever runs the program can put right; `message` says what and how. Shown without its stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
