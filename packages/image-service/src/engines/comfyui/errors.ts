/** A call to a ComfyUI that got no usable answer. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** HTTP status; absent where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, details: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
  }
}

/** A server can no longer finish a prompt, for no reason of the prompt's own: another attempt may succeed. */
export class PromptLost extends Error {
  override readonly name = 'PromptLost';
}
