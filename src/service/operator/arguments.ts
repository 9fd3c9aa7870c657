import { InvalidArgumentError } from 'commander';
import { systemClock } from '../../clock.ts';
import { MILLI, toMilli } from '../ledger/ledger.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A name for an account: something that can be seen and typed. */
export function accountName(text: string): string {
  const name = text.trim();
  if (!/^[^\p{C}]{1,100}$/u.test(name))
    throw new InvalidArgumentError('expected a name of 1 to 100 characters');
  return name;
}

/** Credits, as thousandths of them. */
export function credits(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d{1,3})?$/.test(text) || !Number.isSafeInteger(number * MILLI * MILLI)) {
    throw new InvalidArgumentError('expected a number of credits with at most three decimals, such as 2.5');
  }
  return toMilli(number);
}

/** The same, and not none at all. */
export function someCredits(text: string): number {
  const amount = credits(text);
  if (amount === 0) throw new InvalidArgumentError('expected more than 0 credits');
  return amount;
}

/** What tells one of an account's grants from the others. */
export function grantId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('expected the id of a grant, which grant list shows');
  return Number(text);
}

/** The end of a key, as it is stored. */
export const keyTail = (text: string): string => text.trim().toLowerCase();

/** A limit of a key's own, or none. */
export type Limit = number | 'none';

export function limit(text: string): Limit {
  if (text === 'none') return text;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('expected a whole number from 1 to 999999, or none');
  return Number(text);
}

/** The end of a day in UTC that is not over yet, in milliseconds since the epoch. */
export function endOfDay(text: string): number {
  const end = DAY.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : Number.NaN;
  // `Date.parse` takes the 31st of February for the 3rd of March.
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('expected a day such as 2030-12-31');
  }
  if (end <= systemClock.now()) throw new InvalidArgumentError('expected a day that is not over yet');
  return end;
}
