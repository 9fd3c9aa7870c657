import {
  type APIFileUploadComponent,
  type APILabelComponent,
  type APITextInputComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import type { ModalInput } from '../page-server/protocol.ts';
import { extensionsOf } from '../rules/file-types.ts';
import { fieldRefusal } from '../user-client/input-checks.ts';
import { sayRefusal } from '../user-client/refusals.ts';
import type { ChosenFile } from './chosen-file.ts';
import { filesIn, renderChosenFiles } from './file-picking.ts';
import { icons } from './icons.ts';
import { optionElements, optionLabel, selectOptions } from './select-options.ts';
import type { View } from './view.ts';

export interface ModalField {
  customId: string;
  label: string;
  description: string | null;
  input: APILabelComponent['component'];
}

export interface FileField extends ModalField {
  input: APIFileUploadComponent;
}

/** The files of the open form, by field: they stand in no control. */
export interface FieldFiles {
  of(field: FileField): readonly ChosenFile[];
  add(field: FileField, files: readonly File[]): void;
  remove(field: FileField, file: ChosenFile): void;
}

interface Drawn {
  view: View;
  id: string;
  invalid: boolean;
  files: FieldFiles;
}

function textInput(input: APITextInputComponent, { id, invalid }: Drawn): TemplateResult {
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

export const isFileUpload = (field: ModalField): field is FileField =>
  field.input.type === ComponentType.FileUpload;

function fileUpload(field: FileField, { view, id, files }: Drawn): TemplateResult {
  const { max_values: most = 1, file_types: types = [] } = field.input;
  return html`<div class="drop-zone">
      ${icons.attach}<span>${view.words.files.choose(most)}</span>
      <input
        class="file-input"
        id=${id}
        type="file"
        accept=${extensionsOf(types).join(',')}
        ?multiple=${most > 1}
        aria-describedby=${`${id}-note`}
        @change=${(event: Event) => files.add(field, filesIn(event))}
      />
    </div>
    ${renderChosenFiles(view, files.of(field), (file) => {
      files.remove(field, file);
      document.getElementById(id)?.focus();
    })}`;
}

function group(field: ModalField, { view, id }: Drawn): TemplateResult {
  const isRadio = field.input.type === ComponentType.RadioGroup;
  return html`<div
    class="field-group"
    role=${isRadio ? 'radiogroup' : 'group'}
    aria-labelledby=${`${id}-label`}
    aria-describedby=${`${id}-note`}
  >
    ${selectOptions(view, field.input).map(
      (option) =>
        html`<label
          ><input
            type=${isRadio ? 'radio' : 'checkbox'}
            name=${field.customId}
            value=${option.value}
            ?checked=${option.selected ?? false}
          />
          ${optionLabel(option)}</label
        >`,
    )}
  </div>`;
}

function select(field: ModalField, { view, id, invalid }: Drawn): TemplateResult {
  const { input } = field;
  const text = ('placeholder' in input && input.placeholder) || view.words.messages.select;
  return html`<select
    class="select"
    id=${id}
    name=${field.customId}
    aria-invalid=${invalid ? 'true' : 'false'}
    aria-describedby=${`${id}-note`}
  >
    ${optionElements(selectOptions(view, input), { text, selectable: !isRequired(field) })}
  </select>`;
}

/** A checkbox is answered as it is: it has no `required`. */
const isRequired = ({ input }: ModalField): boolean =>
  input.type !== ComponentType.Checkbox && input.required !== false;

/** In a list of which several may be picked, most browsers let go of the others unless Ctrl is held: boxes do not. */
const isGroup = (field: ModalField): boolean =>
  field.input.type === ComponentType.RadioGroup ||
  field.input.type === ComponentType.CheckboxGroup ||
  (!isFileUpload(field) && 'max_values' in field.input && (field.input.max_values ?? 1) > 1);

function control(field: ModalField, drawn: Drawn): TemplateResult {
  if (field.input.type === ComponentType.TextInput) return textInput(field.input, drawn);
  if (isFileUpload(field)) return fileUpload(field, drawn);
  return isGroup(field) ? group(field, drawn) : select(field, drawn);
}

const description = (field: ModalField) =>
  field.description ? html`<p class="field-description">${field.description}</p>` : nothing;

function checkbox(field: ModalField, id: string): TemplateResult {
  const { input, label } = field;
  const isChecked = 'default' in input && input.default === true;
  return html`<div class="field-group">
      <label><input id=${id} name=${field.customId} type="checkbox" ?checked=${isChecked} /> <span>${label}</span></label>
    </div>
    ${description(field)}`;
}

export function renderField(
  view: View,
  field: ModalField,
  { problem, files }: { problem: string | null; files: FieldFiles },
): TemplateResult {
  const id = `field-${field.customId}`;
  const name = html`${field.label}${isRequired(field) ? html`\u2060<span class="required" aria-hidden="true">*</span>` : nothing}`;
  const labelled = () => html`${
    isGroup(field)
      ? html`<span class="field-label" id=${`${id}-label`}>${name}</span>`
      : html`<label class="field-label" for=${id}>${name}</label>`
  }
  ${description(field)} ${control(field, { view, id, invalid: problem !== null, files })}`;
  return html`<div class="field ${problem ? 'invalid' : ''}" data-field=${field.customId}>
    ${field.input.type === ComponentType.Checkbox ? checkbox(field, id) : labelled()}
    <p class="field-problem" id=${`${id}-note`} role=${problem ? 'alert' : nothing}>${problem ?? ''}</p>
  </div>`;
}

export function readField(form: FormData, field: ModalField, files: FieldFiles): ModalInput {
  const { customId, input } = field;
  if (isFileUpload(field)) return files.of(field).map(({ upload }) => upload);
  if (input.type === ComponentType.Checkbox) return form.has(customId);
  const values = form.getAll(customId).map(String).filter(Boolean);
  if (input.type === ComponentType.TextInput || input.type === ComponentType.RadioGroup)
    return values[0] ?? '';
  return values;
}

/** Why a field may not be sent like this, in words. */
export function fieldProblem(
  { words, locale }: View,
  { input }: ModalField,
  value: ModalInput,
): string | null {
  const refusal = typeof value === 'boolean' ? undefined : fieldRefusal(input, value);
  return refusal ? sayRefusal(words.refusals, refusal, locale) : null;
}

export function focusField(customId: string): void {
  const field = document.querySelector(`[data-field="${CSS.escape(customId)}"]`);
  field?.querySelector<HTMLElement>('input, textarea, select')?.focus();
}
