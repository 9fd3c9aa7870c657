import {
  type APIButtonComponent,
  type APIMessage,
  type APISelectMenuComponent,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { icons } from './icons.ts';
import { renderMultiSelect } from './multi-select.ts';
import { optionElements, selectOptions } from './select-options.ts';
import type { Store } from './store.ts';

const STYLES: Record<number, string> = {
  [ButtonStyle.Primary]: 'primary',
  [ButtonStyle.Success]: 'success',
  [ButtonStyle.Danger]: 'danger',
};

/**
 * A native button: the library's cannot be disabled for the keyboard. While one waits for its answer, the others of
 * the message do nothing, as in Discord's client.
 */
function renderButton(store: Store, message: APIMessage, component: APIButtonComponent): TemplateResult {
  const emoji =
    'emoji' in component && component.emoji?.name
      ? html`<span class="emoji">${component.emoji.name}</span>`
      : nothing;
  const label = 'label' in component ? (component.label ?? '') : '';
  if (component.style === ButtonStyle.Link) {
    return html`<a class="button secondary" href=${component.url} target="_blank" rel="noopener noreferrer"
      >${emoji}<span>${label}</span>${icons.open}</a
    >`;
  }
  if (!('custom_id' in component)) return html``;
  const pending = store.view.pendingComponents.get(message.id);
  return html`<button
    class="button ${STYLES[component.style] ?? 'secondary'} ${pending === component.custom_id ? 'pending' : ''}"
    type="button"
    ?disabled=${component.disabled ?? false}
    aria-disabled=${pending === undefined ? nothing : 'true'}
    aria-busy=${pending === component.custom_id ? 'true' : nothing}
    @click=${() => {
      if (pending === undefined) void store.press(message, component.custom_id);
    }}
  >
    ${emoji}<span>${label}</span>
  </button>`;
}

/** Keys by which a closed menu would take another option, unseen, and so send it. */
const PICKING_KEYS = /^(Arrow\w+|Page\w+|Home|End|.)$/u;
/**
 * Keys by which Safari opens a menu: it has no `showPicker` for one.
 * https://developer.mozilla.org/docs/Web/API/HTMLSelectElement/showPicker#browser_compatibility
 */
const OPENING_KEYS = /^(ArrowUp|ArrowDown| )$/;

function renderSelect(store: Store, message: APIMessage, component: APISelectMenuComponent): TemplateResult {
  const { words } = store.view;
  const { placeholder = words.messages.select, min_values: min = 1, max_values: max = 1 } = component;
  const pending = store.view.pendingComponents.has(message.id);
  const { disabled = false } = component;
  const options = selectOptions(store.view, component);
  const pick = (values: string[]) => void store.press(message, component.custom_id, values);
  // Options that a person has used show what the message says only when they are made anew: the menu keeps the focus.
  const asSent = JSON.stringify([component, message.edited_timestamp]);
  if (max > 1)
    return renderMultiSelect({
      options,
      asSent,
      placeholder,
      done: words.messages.done,
      min,
      max,
      disabled: disabled || pending,
      pick,
    });
  const onChange = (event: Event) => {
    const list = event.currentTarget;
    if (!(list instanceof HTMLSelectElement)) return;
    const values = [...list.selectedOptions].map(({ value }) => value).filter(Boolean);
    if (values.length >= min) pick(values);
  };
  const onKeydown = (event: KeyboardEvent) => {
    const { target: list, key, ctrlKey, metaKey } = event;
    // In a list that is open, keys go to its options.
    if (!(list instanceof HTMLSelectElement) || ctrlKey || metaKey || !PICKING_KEYS.test(key)) return;
    if (!pending) {
      if ('showPicker' in list) list.showPicker();
      else if (OPENING_KEYS.test(key)) return;
    }
    event.preventDefault();
  };
  return html`<select
    class="select"
    aria-label=${placeholder}
    ?disabled=${disabled}
    aria-disabled=${pending ? 'true' : nothing}
    @mousedown=${(event: Event) => pending && event.preventDefault()}
    @keydown=${onKeydown}
    @change=${onChange}
  >
    ${keyed(asSent, optionElements(options, { text: placeholder, selectable: min === 0 }))}
  </select>`;
}

/** A button or a menu of a message. */
export const renderControl = (
  store: Store,
  message: APIMessage,
  component: APIButtonComponent | APISelectMenuComponent,
): TemplateResult =>
  component.type === ComponentType.Button
    ? renderButton(store, message, component)
    : renderSelect(store, message, component);
