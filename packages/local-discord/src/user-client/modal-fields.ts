import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10';
import { type AnyComponent, defaultsOf, loosely, numbering, walk } from '../rules/components.ts';
import { pickValues } from './components.ts';
import { fieldRefusal } from './input-checks.ts';
import type { Refusal } from './refusals.ts';
import type { Resolved } from './resolved.ts';
import type { ModalValues, Upload } from './shapes.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';

type Value = ModalValues[string] | undefined;

/** Checks what a person filled in, and brings it into the form it is sent in. Source: 'Component Reference'. */
export function fillModal(
  modal: APIModalInteractionResponseCallbackData,
  values: ModalValues,
  resolved: Resolved,
): object[] {
  const fields = loosely(modal.components);
  const known = [...walk(fields, [])].map(({ component }) => component.custom_id);
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) throw new UserClientError('invalid', 'unknownField', { name }, name);
  }
  const idOf = numbering(fields);
  const fill = (field: AnyComponent): object => {
    const { type } = field;
    const id = idOf(field);
    if (field.component) return { type, id, component: fill(field.component) };
    if (field.components) return { type, id, components: field.components.map(fill) };
    if (!field.custom_id) return { type, id };
    const sent = sendField(field, values[field.custom_id], resolved);
    return { type, id, custom_id: field.custom_id, ...sent };
  };
  return fields.map(fill);
}

/** A field that was not touched is sent as the form shows it. */
function sendField(field: AnyComponent, value: Value, resolved: Resolved): object {
  switch (field.type) {
    case ComponentType.TextInput: {
      const text = value ?? field.value ?? '';
      if (!isText(text)) throw refuse(field, 'text');
      throwIfRefused(fieldRefusal(field, text), nameOf(field));
      return { value: text };
    }
    case ComponentType.Checkbox:
      if (typeof (value ?? false) !== 'boolean') throw refuse(field, 'trueOrFalse');
      return { value: value ?? field.default ?? false };
    case ComponentType.RadioGroup: {
      const given = typeof value === 'string' ? [value].filter(Boolean) : value;
      const [picked = null] = sendValues(field, given, resolved);
      return { value: picked };
    }
    case ComponentType.FileUpload:
      return { values: sendFiles(field, value ?? [], resolved) };
    default:
      return { values: sendValues(field, value, resolved) };
  }
}

function sendValues(field: AnyComponent, value: Value, resolved: Resolved): string[] {
  const values = value ?? defaultsOf(field);
  if (!isListOf(values, isText)) throw refuse(field, 'oneOfChoices');
  throwIfRefused(fieldRefusal(field, values), nameOf(field));
  return values.length > 0 ? pickValues(field, values, resolved) : [];
}

function sendFiles(field: AnyComponent, value: NonNullable<Value>, resolved: Resolved): string[] {
  if (!isListOf(value, isUpload)) throw refuse(field, 'file');
  throwIfRefused(fieldRefusal(field, value), nameOf(field));
  return value.map((upload) => resolved.attachment(upload, nameOf(field), field.file_types));
}

const nameOf = ({ custom_id }: AnyComponent): string | undefined => custom_id ?? undefined;

const refuse = (field: AnyComponent, code: Refusal['code']): UserClientError =>
  new UserClientError('invalid', code, {}, nameOf(field));

const isText = (value: unknown): value is string => typeof value === 'string';
const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value;

const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] =>
  Array.isArray(value) && value.every(isOne);
