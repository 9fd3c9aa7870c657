import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Draft } from '../../command-draft.ts';
import { icons } from '../icons.ts';
import { avatarUrl } from '../names.ts';
import { drawCommand } from './command.ts';
import type { Composer } from './composer.ts';
import { fieldOf, onKey, placeId, steersList } from './field.ts';
import { lineId, suggestionList } from './suggestion-list.ts';

function plainText(composer: Composer, placeholder: string): TemplateResult {
  const { state } = composer;
  return html`<textarea
    id=${placeId('text')}
    class="composer-text"
    rows=${Math.min(8, state.text.split('\n').length)}
    maxlength="2000"
    placeholder=${placeholder}
    aria-label=${placeholder}
    .value=${live(state.text)}
    ${steersList(composer, 'text')}
    @input=${(event: Event) => composer.typeText(fieldOf(event).value)}
    @focus=${() => composer.goTo('text', false)}
    @keydown=${(event: KeyboardEvent) => onKey(composer, event)}
  ></textarea>`;
}

/** What the command, or the option at the caret, is about, and what is wrong with it. */
function hint(composer: Composer): TemplateResult {
  const { draft, problem } = composer.state;
  return html`<div class="composer-hint" id="composer-hint">
    ${draft ? explanation(composer, draft) : nothing}
    ${problem ? html`<span class="composer-problem" role="alert">${icons.warning}${problem.text}</span>` : nothing}
    ${
      draft
        ? html`<button class="tool" aria-label="Cancel the command" title="Cancel (Escape)" @click=${composer.cancel}>
            ${icons.close}
          </button>`
        : nothing
    }
  </div>`;
}

function explanation(composer: Composer, { leaf }: Draft): TemplateResult {
  const { place } = composer.state;
  const option = typeof place === 'string' ? undefined : place.option;
  return html`<img class="avatar small" src=${avatarUrl(leaf.command.application.user)} alt="" />
    <span class="composer-explanation"
      >${
        option
          ? html`<strong>${option.name}</strong> ${option.description}
              ${option.required ? html`<em>required</em>` : nothing}`
          : html`<strong>/${leaf.path}</strong> ${leaf.description}`
      }</span
    >`;
}

/** The composer with all that stands above it. */
export function drawComposer(composer: Composer, placeholder: string): TemplateResult {
  const { draft, problem, highlighted, text } = composer.state;
  const list = composer.suggestions();
  return html`<div class="composer">
    ${list ? suggestionList(list, highlighted, composer.highlight) : nothing}
    ${draft || problem ? hint(composer) : nothing}
    <form
      class="composer-line ${draft ? 'with-hint' : ''}"
      @submit=${(event: Event) => {
        event.preventDefault();
        void composer.send();
      }}
    >
      <button
        class="tool"
        type="button"
        aria-label="Use a command"
        title="Use a command"
        @click=${() => {
          composer.cancel();
          composer.typeText('/');
        }}
      >
        ${icons.slash}
      </button>
      ${draft ? drawCommand(composer, draft) : plainText(composer, placeholder)}
      <button class="tool send" type="submit" aria-label="Send" ?disabled=${!draft && text.trim() === ''}>
        ${icons.send}
      </button>
    </form>
  </div>`;
}

/** Call after every drawing of the page: the focus follows the caret, the list its highlighted line. */
export function settleComposer(composer: Composer): void {
  const { place, highlighted } = composer.state;
  document.getElementById(lineId(highlighted))?.scrollIntoView({ block: 'nearest' });
  if (!composer.takeFocusMove()) return;
  const field = document.getElementById(placeId(place));
  field?.focus();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
}
