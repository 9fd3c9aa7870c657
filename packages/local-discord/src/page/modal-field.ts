import {
  type APILabelComponent,
  type APITextInputComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { optionElements, selectOptions } from './select-options.ts';
import type { View } from './view.ts';

/** A field of a modal. */
export interface ModalField {
  customId: string;
  label: string;
  description: string | null;
  input: APILabelComponent['component'];
}

function textInput(
  input: APITextInputComponent,
  attributes: { id: string; invalid: boolean },
): TemplateResult {
  const { id, invalid } = attributes;
  return input.style === TextInputStyle.Paragraph
    ? html`<textarea
        class="field-text"
        id=${id}
        name=${input.custom_id}
        rows="5"
        placeholder=${input.placeholder ?? ''}
        maxlength=${input.max_length ?? 4_000}
        aria-invalid=${invalid ? 'true' : 'false'}
        aria-describedby=${`${id}-note`}
        .defaultValue=${input.value ?? ''}
      ></textarea>`
    : html`<input
        class="field-text"
        id=${id}
        name=${input.custom_id}
        type="text"
        placeholder=${input.placeholder ?? ''}
        maxlength=${input.max_length ?? 4_000}
        aria-invalid=${invalid ? 'true' : 'false'}
        aria-describedby=${`${id}-note`}
        autocomplete="off"
        spellcheck="false"
        .defaultValue=${input.value ?? ''}
      />`;
}

function control(view: View, field: ModalField, id: string, invalid: boolean): TemplateResult {
  const { input } = field;
  if (input.type === ComponentType.TextInput) return textInput(input, { id, invalid });
  if (input.type === ComponentType.Checkbox) {
    return html`<input id=${id} name=${input.custom_id} type="checkbox" ?checked=${input.default ?? false} />`;
  }
  const options = selectOptions(view, input);
  if (input.type === ComponentType.RadioGroup || input.type === ComponentType.CheckboxGroup) {
    const type = input.type === ComponentType.RadioGroup ? 'radio' : 'checkbox';
    return html`<div class="field-group" id=${id} role="group">
      ${options.map(
        ({ value, label, description, selected }) =>
          html`<label
            ><input type=${type} name=${input.custom_id} value=${value} ?checked=${selected ?? false} />
            <span>${label}${description ? html`<small>${description}</small>` : nothing}</span></label
          >`,
      )}
    </div>`;
  }
  const multiple = 'max_values' in input && (input.max_values ?? 1) > 1;
  const text = ('placeholder' in input && input.placeholder) || view.words.messages.select;
  return html`<select class="select" id=${id} name=${'custom_id' in input ? input.custom_id : ''} ?multiple=${multiple}>
    ${optionElements(options, multiple ? null : { text, selectable: !isRequired(field) })}
  </select>`;
}

const isRequired = ({ input }: ModalField): boolean => !('required' in input) || input.required !== false;

/** A field with its label and problem. */
export function renderField(view: View, field: ModalField, problem: string | null): TemplateResult {
  const id = `field-${field.customId}`;
  return html`<div class="field ${problem ? 'invalid' : ''}">
    <label class="field-label" for=${id}>
      ${field.label}${isRequired(field) ? html`\u2060<span class="required" aria-hidden="true">*</span>` : nothing}
    </label>
    ${field.description ? html`<p class="field-description">${field.description}</p>` : nothing}
    ${control(view, field, id, problem !== null)}
    <p class="field-problem" id=${`${id}-note`} role=${problem ? 'alert' : nothing}>${problem ?? ''}</p>
  </div>`;
}

/** The value of this field in the form. */
export function readField(form: FormData, { customId, input }: ModalField): string | boolean | string[] {
  if (input.type === ComponentType.Checkbox) return form.has(customId);
  const values = form.getAll(customId).map(String).filter(Boolean);
  if (input.type === ComponentType.TextInput || input.type === ComponentType.RadioGroup)
    return values[0] ?? '';
  return values;
}

/** What Discord's client says about a value that may not be sent. */
export function fieldProblem(
  { words: { form } }: View,
  field: ModalField,
  value: string | boolean | string[],
): string | null {
  const { input } = field;
  if (typeof value === 'boolean') return null;
  if (value.length === 0) return isRequired(field) ? form.required : null;
  if (input.type === ComponentType.TextInput) {
    const { min_length: min = 0, max_length: max = 4_000 } = input;
    if (value.length < min) return form.atLeast(min);
    if (value.length > max) return form.atMost(max);
  } else if ('min_values' in input && value.length < (input.min_values ?? 1)) {
    return form.choose(input.min_values ?? 1);
  }
  return null;
}
