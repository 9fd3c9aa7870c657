import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { type AnyComponent, boundsOf } from '../rules/components.ts';
import type { Refusal } from './refusals.ts';
import type { Upload } from './shapes.ts';

/** Why a text of this length may not be sent, if it may not. */
export function textRefusal(
  { length }: string,
  { min = 0, max }: { min?: number | undefined; max: number },
): Refusal | undefined {
  if (length < min) return { code: 'tooShort', values: { min } };
  if (length > max) return { code: 'tooLong', values: { over: length - max, max } };
  return undefined;
}

/** Why a file of this size may not be sent, if it may not. */
export const sizeRefusal = ({ bytes }: Upload, limit: number): Refusal | undefined =>
  bytes.length > limit ? { code: 'fileTooLarge', values: { limit } } : undefined;

/** Why an option may not have this text, if it may not. Source: 'Application Commands', option structure. */
export const optionTextRefusal = (
  { min_length: min, max_length: max = 6000 }: { min_length?: number; max_length?: number },
  text: string,
): Refusal | undefined => textRefusal(text, { min, max });

/** Why an option may not have this number, if it may not. Source: 'Application Commands', option type. */
export function numberRefusal(
  { type, min_value: min, max_value: max }: NumericOption,
  value: number,
): Refusal | undefined {
  const isInteger = type === ApplicationCommandOptionType.Integer;
  if (isInteger && !Number.isSafeInteger(value)) return { code: 'wholeNumber', values: {} };
  if (!(Math.abs(value) <= 2 ** 53)) return { code: 'number', values: {} };
  if (min !== undefined && value < min) return { code: 'atLeast', values: { min } };
  if (max !== undefined && value > max) return { code: 'atMost', values: { max } };
  return undefined;
}

interface NumericOption {
  type: ApplicationCommandOptionType;
  min_value?: number;
  max_value?: number;
}

/** Why so many values or files may not be picked, if they may not. */
export function countRefusal(component: AnyComponent, count: number): Refusal | undefined {
  const { min, max } = boundsOf(component);
  return count < min || count > max ? { code: 'count', values: { min, max } } : undefined;
}

/** Why a field of a form may not be sent like this, if it may not: with a text, with values, or with files. */
export function fieldRefusal(field: AnyComponent, value: string | readonly unknown[]): Refusal | undefined {
  if (value.length === 0) return (field.required ?? true) ? { code: 'required', values: {} } : undefined;
  if (typeof value !== 'string') return countRefusal(field, value.length);
  return textRefusal(value, { min: field.min_length ?? 0, max: field.max_length ?? 4000 });
}
