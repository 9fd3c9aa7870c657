import { ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type Draft, type Pill, unusedOptions } from '../../command-draft.ts';
import type { Composer } from './composer.ts';
import { type Field, fieldOf, onKey, placeId, steersList } from './field.ts';
import { takeKey } from './keys.ts';

/** A command with a field for each of its options, and one behind them to find more. */
export function drawCommand(composer: Composer, draft: Draft): TemplateResult {
  const { state } = composer;
  const unused = unusedOptions(draft).length;
  const last = draft.pills.at(-1);
  return html`<div class="command" role="group" aria-label=${`Command ${draft.leaf.path}`}>
    <span class="command-name">/${draft.leaf.path}</span>
    ${draft.pills.map((it) => pill(composer, draft, it))}
    <input
      id=${placeId('more')}
      class="command-more"
      type="text"
      placeholder=${unused > 0 ? `+${unused} optional` : ''}
      aria-label=${unused > 0 ? `More options: ${unused} are left` : 'End of the command: press Enter to send'}
      .value=${live(state.more)}
      ${steersList(composer, 'more')}
      @input=${(event: Event) => composer.typeMore(fieldOf(event).value)}
      @focus=${() => composer.goTo('more', false)}
      @keydown=${(event: KeyboardEvent) =>
        onKey(composer, event, (field) => {
          const back = (event.key === 'Backspace' || event.key === 'ArrowLeft') && field.value === '';
          if (!back) return false;
          if (last) composer.goTo(last);
          else composer.cancel();
          return true;
        })}
    />
  </div>`;
}

function pill(composer: Composer, draft: Draft, it: Pill): TemplateResult {
  const { state } = composer;
  const wrong = state.problem?.place === it;
  const { name, description, required, type } = it.option;
  const label = `${name}: ${description}${required ? ' (required)' : ''}`;
  return html`<label class="pill ${state.place === it ? 'here' : ''} ${wrong ? 'wrong' : ''}">
    <span class="pill-name">${name}</span>
    ${type === Option.Attachment ? filePill(composer, it, label) : textPill(composer, draft, it, label)}
  </label>`;
}

function filePill(composer: Composer, it: Pill, label: string): TemplateResult {
  return html`<span class="pill-file">${it.text || 'Choose a file'}</span>
    <input
      id=${placeId(it)}
      class="file-input"
      type="file"
      aria-label=${label}
      @focus=${() => composer.goTo(it, false)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape' && takeKey(composer, event)) event.preventDefault();
        if (event.key === 'Backspace') composer.removePill(it);
      }}
      @change=${(event: Event) => {
        const field = fieldOf(event);
        const file = 'files' in field ? field.files?.[0] : undefined;
        if (file) void composer.chooseFile(it, file);
      }}
    />`;
}

function textPill(composer: Composer, draft: Draft, it: Pill, label: string): TemplateResult {
  const wrong = composer.state.problem?.place === it;
  return html`<textarea
    id=${placeId(it)}
    rows="1"
    cols=${Math.min(60, Math.max(1, it.text.length))}
    maxlength="6000"
    aria-label=${label}
    aria-invalid=${wrong ? 'true' : 'false'}
    aria-describedby="composer-hint"
    .value=${live(it.text)}
    ${steersList(composer, it)}
    @input=${(event: Event) => composer.typePill(it, fieldOf(event).value)}
    @focus=${() => composer.goTo(it, false)}
    @keydown=${(event: KeyboardEvent) =>
      onKey(composer, event, (field) => leavePill(composer, draft, it, field, event.key))}
  ></textarea>`;
}

/** The keys that lead out of an option at its edges. Answers whether it took the key. */
function leavePill(composer: Composer, draft: Draft, it: Pill, field: Field, key: string): boolean {
  const at = draft.pills.indexOf(it);
  const before = draft.pills[at - 1];
  if (key === 'Backspace' && field.value === '') composer.removePill(it);
  else if (key === 'ArrowRight' && field.selectionStart === field.value.length)
    composer.goTo(draft.pills[at + 1] ?? 'more');
  else if (key === 'ArrowLeft' && field.selectionEnd === 0 && before) composer.goTo(before);
  else return false;
  return true;
}
