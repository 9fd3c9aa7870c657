/** A call to a ComfyUI that gave no usable answer. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** HTTP status; absent where there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, details: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
  }
}

/** A drawing that cannot go on where it was, through no fault of its own: it may be begun again, here or elsewhere. */
export class AttemptLost extends Error {
  override readonly name = 'AttemptLost';
}
