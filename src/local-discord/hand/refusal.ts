/** Something that Discord's client would not let a person do; nothing was sent to the bot. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;
  /** The option or modal field it is about. */
  readonly field: string | undefined;

  constructor(reason: RefusalReason, message: string, field?: string) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}

export type RefusalReason =
  /** No such user, guild, channel, command, message or component for this person. */
  | 'unknown'
  /** The person's permissions do not allow it. */
  | 'forbidden'
  /** An option or field is missing, of the wrong type, or outside its range. */
  | 'invalid'
  /** AutoMod blocked it. */
  | 'blocked';
