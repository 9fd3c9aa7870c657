/** A call to another machine that got no usable answer. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** HTTP status; absent where there was no answer. */
  readonly status: number | undefined;
  /** The answer's body, where it is JSON. */
  readonly body: unknown;

  constructor(message: string, details: { status?: number; body?: unknown; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.body = details.body;
  }
}
