import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10';
import { type AnyComponent, loosely, walk } from '../rules/components.ts';
import { pickValues } from './components.ts';
import type { Resolved } from './resolved.ts';
import type { ModalValues, Upload } from './user-client.ts';
import { UserClientError } from './user-client-error.ts';

type Value = ModalValues[string] | undefined;

/** Checks what a person filled in, and brings it into the form it is sent in. Source: 'Component Reference'. */
export async function fillModal(
  modal: APIModalInteractionResponseCallbackData,
  values: ModalValues,
  resolved: Resolved,
): Promise<object[]> {
  const fields = loosely(modal.components);
  const known = [...walk(fields, [])].map(({ component }) => component.custom_id);
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) throw new UserClientError('invalid', 'unknownField', { name }, name);
  }
  let last = 0;
  const fill = async (field: AnyComponent): Promise<object> => {
    const { type } = field;
    const id = field.id || ++last;
    if (field.component) return { type, id, component: await fill(field.component) };
    if (field.components) {
      const components: object[] = [];
      for (const inner of field.components) components.push(await fill(inner));
      return { type, id, components };
    }
    if (!field.custom_id) return { type, id };
    const sent = await sendField(field, values[field.custom_id], resolved);
    return { type, id, custom_id: field.custom_id, ...sent };
  };
  const filled: object[] = [];
  for (const field of fields) filled.push(await fill(field));
  return filled;
}

async function sendField(field: AnyComponent, value: Value, resolved: Resolved): Promise<object> {
  const required = field.required ?? true;
  const name = field.custom_id ?? undefined;
  const missing = () => {
    if (required) throw new UserClientError('invalid', 'required', {}, name);
  };
  switch (field.type) {
    case ComponentType.TextInput:
      return { value: sendText(field, value ?? field.value ?? '', missing) };
    case ComponentType.Checkbox:
      return { value: value ?? false };
    case ComponentType.RadioGroup: {
      const picked = typeof value === 'string' ? value : null;
      if (picked === null) missing();
      else pickValues({ ...field, min_values: 1, max_values: 1 }, [picked], resolved);
      return { value: picked };
    }
    case ComponentType.FileUpload: {
      const uploads = Array.isArray(value) ? value.filter(isUpload) : [];
      if (uploads.length === 0) missing();
      const ids: string[] = [];
      for (const upload of uploads) ids.push(await resolved.attachment(upload, name ?? ''));
      return { values: ids };
    }
    default: {
      const texts: string[] = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
      if (texts.length === 0) missing();
      else pickValues(field, texts, resolved);
      return { values: texts };
    }
  }
}

function sendText(field: AnyComponent, value: Value, missing: () => void): string {
  const name = field.custom_id ?? undefined;
  if (typeof value !== 'string') throw new UserClientError('invalid', 'text', {}, name);
  if (value === '') {
    missing();
    return value;
  }
  const min = field.min_length ?? 0;
  const max = field.max_length ?? 4000;
  if (value.length < min || value.length > max) {
    throw new UserClientError('invalid', 'length', { min, max }, name);
  }
  return value;
}

function isUpload(value: unknown): value is Upload {
  return typeof value === 'object' && value !== null && 'bytes' in value;
}
