/** Something that Discord's client would not let a person do; nothing was sent to the bot. */
export class UserClientError extends Error {
  override readonly name = 'UserClientError';
  readonly reason: UserClientErrorReason;
  /** The option or modal field it is about. */
  readonly field: string | undefined;

  constructor(reason: UserClientErrorReason, message: string, field?: string) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}

export type UserClientErrorReason =
  /** No such user, guild, channel, command, message or component for this person. */
  | 'unknown'
  /** The person's permissions do not allow it. */
  | 'forbidden'
  /** An option or field is missing, of the wrong type, or outside its range. */
  | 'invalid'
  /** AutoMod blocked it. */
  | 'blocked';
