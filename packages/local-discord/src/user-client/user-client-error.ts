import { REFUSALS, type Refusal, sayRefusal } from './refusals.ts';

/** Something that Discord's client would not let a person do; nothing was sent to the bot. */
export class UserClientError extends Error {
  override readonly name = 'UserClientError';
  readonly reason: UserClientErrorReason;
  /** What `message` says in English. */
  readonly refusal: Refusal;
  /** The option or modal field it is about. */
  readonly field: string | undefined;

  constructor(
    reason: UserClientErrorReason,
    code: Refusal['code'],
    values: Refusal['values'] = {},
    field?: string,
  ) {
    const refusal = { code, values };
    super(sayRefusal(REFUSALS, refusal, 'en'));
    this.reason = reason;
    this.refusal = refusal;
    this.field = field;
  }
}

/** Throws where there is a refusal. `field`: the option or modal field it is about. */
export function throwIfRefused(refusal: Refusal | undefined, field?: string): void {
  if (refusal) throw new UserClientError('invalid', refusal.code, refusal.values, field);
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
