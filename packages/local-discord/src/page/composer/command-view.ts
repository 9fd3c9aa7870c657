import { ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { extensionsOf } from '../../rules/file-types.ts';
import { filesIn } from '../file-picking.ts';
import { type CommandForm, type OptionField, unusedOptions } from './command-form.ts';
import type { Composer } from './composer.ts';
import { handleKey, onKeyDown } from './keyboard.ts';
import { combobox, controlId, MOST_COLUMNS, rowsOf, type TextControl, textControl } from './text-control.ts';

/** A command with a field for each of its options, and one behind them to find more. */
export function renderCommand(composer: Composer, form: CommandForm): TemplateResult {
  const { state } = composer;
  const words = composer.words();
  const unused = unusedOptions(form).length;
  const last = form.fields.at(-1);
  return html`<div class="command" role="group" aria-label=${words.command(form.command.path)}>
    <span class="command-name">/${form.command.path}</span>
    ${form.fields.map((field) => optionField(composer, form, field))}
    <input
      id=${controlId('more')}
      class="command-more"
      type="text"
      placeholder=${unused > 0 ? words.more(unused) : ''}
      aria-label=${unused > 0 ? words.moreLabel(unused) : words.end}
      .value=${live(state.more)}
      ${combobox(composer, 'more')}
      @input=${(event: Event) => composer.typeMore(textControl(event).value)}
      @focus=${() => composer.moveCaret('more', false)}
      @keydown=${(event: KeyboardEvent) =>
        onKeyDown(composer, event, (control) => {
          const back = (event.key === 'Backspace' || event.key === 'ArrowLeft') && control.value === '';
          if (!back) return false;
          if (last) composer.moveCaret(last);
          else composer.cancel();
          return true;
        })}
    />
  </div>`;
}

function optionField(composer: Composer, form: CommandForm, field: OptionField): TemplateResult {
  const { state } = composer;
  const invalid = state.problem?.caret === field;
  const { name, description, required, type } = field.option;
  const label = `${name}: ${description}${required ? ` (${composer.words().required})` : ''}`;
  return html`<label class="option-field ${state.caret === field ? 'selected' : ''} ${invalid ? 'invalid' : ''}">
    <span class="option-field-name">${name}</span>
    ${type === Option.Attachment ? fileField(composer, field, label) : textField(composer, form, field, label)}
  </label>`;
}

function fileField(composer: Composer, field: OptionField, label: string): TemplateResult {
  return html`<span class="option-field-file">
      ${field.file?.picture ? html`<img src=${field.file.picture} alt="" />` : nothing}
      ${field.text || composer.words().chooseFile}</span>
    <input
      id=${controlId(field)}
      class="file-input"
      type="file"
      accept=${'file_types' in field.option ? extensionsOf(field.option.file_types ?? []).join(',') : ''}
      aria-label=${label}
      @focus=${() => composer.moveCaret(field, false)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape' && handleKey(composer, event)) event.preventDefault();
        if (event.key === 'Backspace') composer.removeField(field);
        // With a file in it, Enter sends the command instead of opening the browser's dialog.
        if (event.key === 'Enter' && field.text !== '') {
          event.preventDefault();
          void composer.submit();
        }
      }}
      @change=${(event: Event) => {
        const [file] = filesIn(event);
        if (file) composer.files.choose(field, file);
      }}
    />`;
}

function textField(composer: Composer, form: CommandForm, field: OptionField, label: string): TemplateResult {
  const invalid = composer.state.problem?.caret === field;
  return html`<textarea
    id=${controlId(field)}
    rows=${rowsOf(field.text)}
    cols=${Math.min(MOST_COLUMNS, Math.max(1, field.text.length))}
    aria-label=${label}
    aria-invalid=${invalid ? 'true' : 'false'}
    aria-describedby="composer-hint"
    .value=${live(field.text)}
    ${combobox(composer, field)}
    @input=${(event: Event) => composer.typeField(field, textControl(event).value)}
    @focus=${() => composer.moveCaret(field, false)}
    @keydown=${(event: KeyboardEvent) =>
      onKeyDown(composer, event, (control) => leaveField(composer, form, field, control, event.key))}
  ></textarea>`;
}

/** The keys that leave an option at its edges. Returns whether it handled the key. */
function leaveField(
  composer: Composer,
  form: CommandForm,
  field: OptionField,
  control: TextControl,
  key: string,
): boolean {
  const at = form.fields.indexOf(field);
  const before = form.fields[at - 1];
  if (key === 'Backspace' && control.value === '') composer.removeField(field);
  else if (key === 'ArrowRight' && control.selectionStart === control.value.length)
    composer.moveCaret(form.fields[at + 1] ?? 'more');
  else if (key === 'ArrowLeft' && control.selectionEnd === 0 && before) composer.moveCaret(before);
  else return false;
  return true;
}
