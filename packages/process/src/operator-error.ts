/** What `error` says, for a sentence that goes on to say what to do. Anything may be thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What was the cause of `error`, in the first line of it: `fetch` says only there why it failed. */
export const causeOf = (error: unknown): string =>
  messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error).split('\n')[0] ?? '';

/** What Node calls an error, such as `ENOENT`; undefined where it has no such name. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Something that whoever runs the program can put right; `message` says what and how. Shown without its stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
