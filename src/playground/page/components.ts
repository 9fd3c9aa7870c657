import {
  type APIButtonComponent,
  type APIMessage,
  type APISelectMenuComponent,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';
import { menuLines, offersOf } from './offers.ts';
import type { Session } from './session.ts';

const STYLES: Record<number, string> = {
  [ButtonStyle.Primary]: 'primary',
  [ButtonStyle.Secondary]: 'secondary',
  [ButtonStyle.Success]: 'success',
  [ButtonStyle.Danger]: 'danger',
};

/**
 * Buttons are real ones: the library's cannot be disabled for the keyboard. While one waits for its answer the others
 * of the message rest, as in Discord's client.
 */
function button(session: Session, message: APIMessage, it: APIButtonComponent): TemplateResult {
  const emoji = 'emoji' in it && it.emoji?.name ? html`<span class="emoji">${it.emoji.name}</span>` : nothing;
  const label = 'label' in it ? (it.label ?? '') : '';
  if (it.style === ButtonStyle.Link) {
    return html`<a class="button secondary" href=${it.url} target="_blank" rel="noopener noreferrer"
      >${emoji}<span>${label}</span>${icons.open}</a
    >`;
  }
  if (!('custom_id' in it)) return html``;
  const pressed = session.view.pressed.get(message.id);
  return html`<button
    class="button ${STYLES[it.style] ?? 'secondary'} ${pressed === it.custom_id ? 'waiting' : ''}"
    type="button"
    ?disabled=${it.disabled ?? false}
    aria-disabled=${pressed === undefined ? nothing : 'true'}
    aria-busy=${pressed === it.custom_id ? 'true' : nothing}
    @click=${() => {
      if (pressed === undefined) void session.press(message, it.custom_id);
    }}
  >
    ${emoji}<span>${label}</span>
  </button>`;
}

function select(session: Session, message: APIMessage, it: APISelectMenuComponent): TemplateResult {
  const { placeholder = 'Make a selection', min_values: least = 1, max_values: most = 1 } = it;
  const several = most > 1;
  const waiting = session.view.pressed.has(message.id);
  const pick = (event: Event) => {
    const list = event.currentTarget;
    if (!(list instanceof HTMLSelectElement)) return;
    const values = [...list.selectedOptions].map(({ value }) => value).filter(Boolean);
    if (values.length >= least) void session.press(message, it.custom_id, values);
  };
  return html`<select
    class="select"
    aria-label=${placeholder}
    ?multiple=${several}
    ?disabled=${(it.disabled ?? false) || waiting}
    @change=${pick}
  >
    ${menuLines(offersOf(session.view, it), several ? null : { text: placeholder, pickable: least === 0 })}
  </select>`;
}

/** The rows of buttons and menus under a message. */
export function components(session: Session, message: APIMessage) {
  const failure = session.view.failures.get(message.id);
  return html`${message.components?.map((row) =>
    row.type === ComponentType.ActionRow
      ? html`<discord-action-row class="row">
          ${row.components.map((it) =>
            it.type === ComponentType.Button ? button(session, message, it) : select(session, message, it),
          )}
        </discord-action-row>`
      : nothing,
  )}
  ${failure ? html`<p class="failed" role="alert">${icons.warning}${failure}</p>` : nothing}`;
}
