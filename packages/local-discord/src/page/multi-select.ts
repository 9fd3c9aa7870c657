import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { optionLabel, type SelectOption } from './select-options.ts';

/**
 * A menu of which several may be picked. As in Discord's client it opens over its options, and what was picked is
 * sent when it closes: by its own button, by Escape, or because the keyboard or a click has gone elsewhere.
 */
export function renderMultiSelect({
  options,
  asSent,
  placeholder,
  done,
  min,
  max,
  disabled,
  pick,
}: {
  options: readonly SelectOption[];
  /** Where it is another one, nothing is left of what a person has picked. */
  asSent: string;
  placeholder: string;
  /** Label of the button that closes it. */
  done: string;
  min: number;
  max: number;
  disabled: boolean;
  pick(values: string[]): void;
}): TemplateResult {
  const before = options.filter(({ selected }) => selected);
  const close = ({ currentTarget: part }: Event) => {
    const menu = part instanceof HTMLElement ? part.closest('details') : null;
    // What is hidden with its focus would leave the keyboard nowhere.
    if (menu?.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu?.removeAttribute('open');
  };

  function onToggle({ currentTarget: menu }: Event): void {
    if (!(menu instanceof HTMLDetailsElement) || menu.open) return;
    const picked = boxesIn(menu).filter(({ checked }) => checked);
    const values = picked.map(({ value }) => value);
    const isSame = values.length === before.length && before.every(({ value }) => values.includes(value));
    if (!isSame && values.length >= min && values.length <= max) pick(values);
  }

  /** No more than `max` can be checked. */
  function onChange({ currentTarget: list }: Event): void {
    if (!(list instanceof HTMLElement)) return;
    const boxes = boxesIn(list);
    const isFull = boxes.filter(({ checked }) => checked).length >= max;
    for (const box of boxes) box.disabled = isFull && !box.checked;
  }

  return html`<details
    class="select multiple"
    aria-label=${placeholder}
    @toggle=${onToggle}
    @focusout=${(event: FocusEvent) => {
      const { currentTarget: menu, relatedTarget: next } = event;
      if (menu instanceof HTMLElement && next instanceof Node && !menu.contains(next)) close(event);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') close(event);
    }}
  >
    <summary aria-disabled=${disabled ? 'true' : nothing}>
      ${before.length > 0 ? before.map(({ label }) => html`<span class="picked">${label}</span>`) : placeholder}
    </summary>
    <fieldset ?disabled=${disabled} @change=${onChange}>
      <legend class="visually-hidden">${placeholder}</legend>
      ${keyed(
        asSent,
        options.map(
          (option) =>
            html`<label
              ><input type="checkbox" value=${option.value} ?checked=${option.selected ?? false} />${optionLabel(option)}</label
            >`,
        ),
      )}
      <button type="button" class="button primary" @click=${close}>${done}</button>
    </fieldset>
  </details>`;
}

const boxesIn = (parent: HTMLElement): HTMLInputElement[] => [
  ...parent.querySelectorAll<HTMLInputElement>('input[type=checkbox]'),
];
