import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { filesIn, renderChosenFiles } from '../file-picking.ts';
import { icons } from '../icons.ts';
import { avatarUrl } from '../urls.ts';
import type { View } from '../view.ts';
import type { CommandForm } from './command-form.ts';
import { renderCommand } from './command-view.ts';
import type { Composer } from './composer.ts';
import { handleKey, onKeyDown } from './keyboard.ts';
import { itemId, suggestionList } from './suggestion-list.ts';
import { combobox, controlId, rowsOf, textControl } from './text-control.ts';

function plainText(composer: Composer, placeholder: string): TemplateResult {
  const { state } = composer;
  return html`<textarea
    id=${controlId('text')}
    class="composer-text"
    rows=${rowsOf(state.text)}
    placeholder=${placeholder}
    aria-label=${placeholder}
    .value=${live(state.text)}
    ${combobox(composer, 'text')}
    @input=${(event: Event) => composer.typeText(textControl(event).value)}
    @focus=${() => composer.moveCaret('text', false)}
    @keydown=${(event: KeyboardEvent) => onKeyDown(composer, event)}
  ></textarea>`;
}

/** Describes the command or the option at the caret, and what is in the way of sending it. */
function hint(composer: Composer, online: boolean): TemplateResult | typeof nothing {
  const { form, problem, text } = composer.state;
  const cancelled = form || text !== '' ? null : composer.state.cancelled;
  if (!form && !problem && online && !cancelled) return nothing;
  return html`<div class="composer-hint" id="composer-hint">
    ${form ? explanation(composer, form) : nothing}
    ${
      cancelled
        ? html`<span role="status">${composer.words().cancelled(cancelled.command.path)}</span>
            <button class="link" type="button" @click=${composer.restore}>${composer.words().restore}</button>`
        : nothing
    }
    ${problem ? html`<span class="composer-problem" role="alert">${icons.warning}${problem.text}</span>` : nothing}
    ${
      online || problem
        ? nothing
        : html`<span class="composer-problem">${icons.warning}${composer.words().offline}</span>`
    }
    ${
      form
        ? html`<button class="tool" aria-label=${composer.words().cancel} title=${composer.words().cancelKey} @click=${composer.cancel}>
            ${icons.close}
          </button>`
        : nothing
    }
  </div>`;
}

function explanation(composer: Composer, { command }: CommandForm): TemplateResult {
  const { caret } = composer.state;
  const option = typeof caret === 'string' ? undefined : caret.option;
  return html`<img class="avatar small" src=${avatarUrl(command.registration.application.user)} alt="" />
    <span class="composer-explanation"
      >${
        option
          ? html`<strong>${option.name}</strong> ${option.description}
              ${option.required ? html`<em>${composer.words().required}</em>` : nothing}`
          : html`<strong>/${command.path}</strong> ${command.description}`
      }</span
    >`;
}

export function renderComposer(composer: Composer, view: View, placeholder: string): TemplateResult {
  const { form, highlighted, text, files } = composer.state;
  const list = composer.suggestions();
  const words = composer.words();
  return html`<div class="composer">
    ${
      list
        ? suggestionList(list, words.suggestions, highlighted, {
            highlight: composer.highlight,
            onKeyDown: (event) => {
              if (handleKey(composer, event)) event.preventDefault();
            },
          })
        : nothing
    }
    ${hint(composer, view.online)}
    ${renderChosenFiles(view, files, composer.files.remove)}
    <form
      class="composer-input"
      @submit=${(event: Event) => {
        event.preventDefault();
        void composer.submit();
      }}
    >
      <label class="tool attach" title=${view.words.files.attach}>
        ${icons.attach}
        <input
          class="file-input"
          type="file"
          multiple
          aria-label=${view.words.files.attach}
          @change=${(event: Event) => composer.files.take(filesIn(event))}
        />
      </label>
      <button
        class="tool"
        type="button"
        aria-label=${words.useCommand}
        title=${words.useCommand}
        @click=${() => {
          composer.cancel();
          composer.typeText('/');
        }}
      >
        ${icons.slash}
      </button>
      ${form ? renderCommand(composer, form) : plainText(composer, placeholder)}
      <button class="tool send" type="submit" aria-label=${words.send} ?disabled=${!form && text.trim() === '' && files.length === 0}>
        ${icons.send}
      </button>
    </form>
  </div>`;
}

/** Call after every render: moves the focus to the caret, and scrolls to the highlighted suggestion. */
export function afterComposerRender(composer: Composer): void {
  const { caret, highlighted } = composer.state;
  document.getElementById(itemId(highlighted))?.scrollIntoView({ block: 'nearest' });
  if (!composer.takeFocusRequest()) return;
  const control = document.getElementById(controlId(caret));
  control?.focus();
  if (control instanceof HTMLTextAreaElement) {
    control.setSelectionRange(control.value.length, control.value.length);
  }
}
