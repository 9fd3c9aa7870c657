import {
  type APILabelComponent,
  type APITextInputComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { menuLines, offersOf } from './offers.ts';
import type { View } from './view.ts';

/** One thing to fill in. */
export interface Field {
  customId: string;
  label: string;
  description: string | null;
  input: APILabelComponent['component'];
}

function textInput(it: APITextInputComponent, attributes: { id: string; invalid: boolean }): TemplateResult {
  const { id, invalid } = attributes;
  return it.style === TextInputStyle.Paragraph
    ? html`<textarea
        class="field-text"
        id=${id}
        name=${it.custom_id}
        rows="5"
        placeholder=${it.placeholder ?? ''}
        maxlength=${it.max_length ?? 4_000}
        aria-invalid=${invalid ? 'true' : 'false'}
        aria-describedby=${`${id}-note`}
        .defaultValue=${it.value ?? ''}
      ></textarea>`
    : html`<input
        class="field-text"
        id=${id}
        name=${it.custom_id}
        type="text"
        placeholder=${it.placeholder ?? ''}
        maxlength=${it.max_length ?? 4_000}
        aria-invalid=${invalid ? 'true' : 'false'}
        aria-describedby=${`${id}-note`}
        autocomplete="off"
        spellcheck="false"
        .defaultValue=${it.value ?? ''}
      />`;
}

function control(view: View, field: Field, id: string, invalid: boolean): TemplateResult {
  const { input: it } = field;
  if (it.type === ComponentType.TextInput) return textInput(it, { id, invalid });
  if (it.type === ComponentType.Checkbox) {
    return html`<input id=${id} name=${it.custom_id} type="checkbox" ?checked=${it.default ?? false} />`;
  }
  const offers = offersOf(view, it);
  if (it.type === ComponentType.RadioGroup || it.type === ComponentType.CheckboxGroup) {
    const type = it.type === ComponentType.RadioGroup ? 'radio' : 'checkbox';
    return html`<div class="field-group" id=${id} role="group">
      ${offers.map(
        ({ value, label, description, chosen }) =>
          html`<label
            ><input type=${type} name=${it.custom_id} value=${value} ?checked=${chosen ?? false} />
            <span>${label}${description ? html`<small>${description}</small>` : nothing}</span></label
          >`,
      )}
    </div>`;
  }
  const several = 'max_values' in it && (it.max_values ?? 1) > 1;
  const text = ('placeholder' in it && it.placeholder) || 'Make a selection';
  return html`<select class="select" id=${id} name=${'custom_id' in it ? it.custom_id : ''} ?multiple=${several}>
    ${menuLines(offers, several ? null : { text, pickable: !isRequired(field) })}
  </select>`;
}

export const isRequired = ({ input }: Field): boolean => !('required' in input) || input.required !== false;

/** A label, what is to be filled in, and what is wrong with it. */
export function drawField(view: View, field: Field, problem: string | null): TemplateResult {
  const id = `field-${field.customId}`;
  return html`<div class="field ${problem ? 'wrong' : ''}">
    <label class="field-label" for=${id}>
      ${field.label}${isRequired(field) ? html`<span class="required" aria-hidden="true">*</span>` : nothing}
    </label>
    ${field.description ? html`<p class="field-description">${field.description}</p>` : nothing}
    ${control(view, field, id, problem !== null)}
    <p class="field-problem" id=${`${id}-note`} role=${problem ? 'alert' : nothing}>${problem ?? ''}</p>
  </div>`;
}

/** What is in the form for this field. */
export function readField(form: FormData, { customId, input }: Field): string | boolean | string[] {
  if (input.type === ComponentType.Checkbox) return form.has(customId);
  const values = form.getAll(customId).map(String).filter(Boolean);
  if (input.type === ComponentType.TextInput || input.type === ComponentType.RadioGroup)
    return values[0] ?? '';
  return values;
}

/** What Discord's client says about a value that may not be sent. */
export function fieldProblem(field: Field, value: string | boolean | string[]): string | null {
  const { input } = field;
  if (typeof value === 'boolean') return null;
  if (value.length === 0) return isRequired(field) ? 'This field is required.' : null;
  if (input.type === ComponentType.TextInput) {
    const { min_length: min = 0, max_length: max = 4_000 } = input;
    if (value.length < min) return `Must be at least ${min} characters.`;
    if (value.length > max) return `Must be at most ${max} characters.`;
  } else if ('min_values' in input && value.length < (input.min_values ?? 1)) {
    return `Choose at least ${input.min_values}.`;
  }
  return null;
}
