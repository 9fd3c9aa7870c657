import { wholeNumber } from '@darkroom/process/program';
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '@darkroom/time';
import { InvalidArgumentError } from 'commander';
import { toMilli } from '../ledger/credits.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The name of an account: 1 to 100 printable characters. */
export function accountName(text: string): string {
  const name = text.trim();
  if (!/^[^\p{C}]{1,100}$/u.test(name))
    throw new InvalidArgumentError('expected a name of 1 to 100 characters');
  return name;
}

/** So far below what a number holds exactly in thousandths that sums of many are exact as well. */
const MOST_CREDITS = 9_000_000_000;

/** Credits, as thousandths of them. */
export function credits(text: string): number {
  if (!/^\d+(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('expected a number of credits with at most three decimals, such as 2.5');
  const amount = Number(text);
  if (amount > MOST_CREDITS) throw new InvalidArgumentError(`expected at most ${MOST_CREDITS} credits`);
  return toMilli(amount);
}

/** Credits above 0, as thousandths of them. */
export function positiveCredits(text: string): number {
  const amount = credits(text);
  if (amount === 0) throw new InvalidArgumentError('expected more than 0 credits');
  return amount;
}

const idOf =
  (what: string, list: string, digits: number) =>
  (text: string): number => {
    if (!/^[1-9]\d*$/.test(text) || text.length > digits)
      throw new InvalidArgumentError(`expected the id of ${what}, which ${list} shows`);
    return Number(text);
  };
// The database counts grants in 64 bits, and a number is exact to 15 digits.
export const grantId = idOf('a grant', 'grant list', 15);
export const allowanceId = idOf('an allowance', 'allowance list', 9);

export const rowLimit = wholeNumber(1, 100_000);
export const dayCount = wholeNumber(1, 3_660);

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A time such as `90m`, `1h` or `7d`, in milliseconds. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (!count) throw new InvalidArgumentError('expected a time such as 90m, 1h or 7d');
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

/** An id that the operator gives to a grant. */
export function onceId(text: string): string {
  if (!/^[\x21-\x7e]{1,100}$/.test(text))
    throw new InvalidArgumentError('expected 1 to 100 characters without spaces');
  return text;
}

/** The last characters of a key, as they are stored. */
export const keyTail = (text: string): string => text.trim().toLowerCase();

/** A limit of a single key; `none`: it shares that of its account. */
export type Limit = number | 'none';

export function limit(text: string): Limit {
  if (text === 'none') return text;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('expected a whole number from 1 to 999999, or none');
  return Number(text);
}

/** The end of a day in UTC, in milliseconds since the epoch; the day must not be over. */
export function endOfDay(text: string): number {
  const end = DAY.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : Number.NaN;
  // `Date.parse` takes the 31st of February for the 3rd of March.
  if (Number.isNaN(end) || !new Date(end).toISOString().startsWith(text)) {
    throw new InvalidArgumentError('expected a day such as 2030-12-31');
  }
  if (end <= systemClock.now()) throw new InvalidArgumentError('expected a day that is not over yet');
  return end;
}

/** The same, or `never`. */
export const lastDay = (text: string): number | 'never' => (text === 'never' ? text : endOfDay(text));
